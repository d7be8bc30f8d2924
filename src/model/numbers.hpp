/// The numbers in a tensor, as this part calls them.
#pragma once

#include "tensor/numbers.hpp"

namespace surefoot::model {

using surefoot::element_at;
using surefoot::number;
using surefoot::visit_number_type;

}  // namespace surefoot::model
