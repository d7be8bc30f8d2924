/// Where a value's name stands in a graph and in the subgraphs that see it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "model/state.hpp"

namespace surefoot::model {

/// The scopes in which a value of `scope` goes by its name: itself, and those inside it, except where one of
/// them has a value of that name of its own.
std::vector<std::size_t> scopes_that_see(const State& state, std::size_t scope, std::string_view name);

/// Whether an input, a weight or a node of that graph gives a value of that name.
bool gives(const State& state, std::size_t scope, std::string_view name);

/// Who uses the value: "node `x` reads it", "it is an output of the model"; empty when nobody does.
std::optional<std::string> user_of(const State& state, std::size_t scope, std::string_view name);

/// Names of all values that are seen in a graph, for suggestions.
std::vector<std::string> value_names(const State& state, std::size_t scope);

/// Lets every node that reads one of these values of `scope` read another one instead; whatever else goes by
/// their names stays.
void redirect_readers(State& state, std::size_t scope, std::map<std::string, std::string, std::less<>> to);

/// Gives the value another name in every place. Errors: InvalidArgument when the new one is taken or empty.
Result<void> rename_value(State& state, std::size_t scope, std::string_view from, std::string_view to);

}  // namespace surefoot::model
