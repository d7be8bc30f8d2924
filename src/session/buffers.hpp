/// The memory of a prepared run.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "session/prepared_layout.hpp"

namespace surefoot::session {

/// A pair of buffers that a run with feedback uses in turn; without feedback both are the same.
using Turns = std::array<std::span<std::byte>, 2>;
inline constexpr std::uint8_t kBothTurns = 3;

/// Who holds the memory of a buffer.
enum class Holder {
  Run,       ///< this prepared run
  Caller,    ///< the caller, or another prepared run
  FedBack,   ///< this run, in turn with the buffer on the other side
  FirstRun,  ///< ONNX Runtime for one run, which tells the shape
  EachRun,   ///< ONNX Runtime, anew for each run
};

/// One input or output.
struct Buffer {
  std::string name;
  ElementType type = ElementType::Undefined;
  Shape shape = {};
  Holder holder = Holder::Run;
  Turns memory = {};
  std::shared_ptr<Tensor> owned = {};  ///< keeps the memory, where it is not the caller's
  Value placed = {};                   ///< what ONNX Runtime placed in the last run
  bool is_device_newer = false;        ///< of an input: somebody writes to its mirror, not to the host
  bool may_change = false;             ///< the model does not state the shape in numbers
  bool is_lent = false;                ///< of an output: the caller's memory, for as long as it fits
  std::uint8_t unsent = kBothTurns;  ///< of an input: a bit for each turn whose device lacks its last change

  /// An input that takes turns is written for one of them: the other is an output's.
  void mark_changed(std::size_t turn) noexcept {
    unsent = holder == Holder::FedBack ? bit(turn) : kBothTurns;
  }
  bool is_changed(std::size_t turn) const noexcept { return (unsent & bit(turn)) != 0; }
  /// `for_both` where both turns read the same memory on the device.
  void mark_sent(std::size_t turn, bool for_both) noexcept {
    unsent = for_both ? std::uint8_t{0} : static_cast<std::uint8_t>(unsent & ~bit(turn));
  }

  bool is_bound() const noexcept { return holder != Holder::FirstRun && holder != Holder::EachRun; }
  TensorView view(std::size_t turn) const noexcept { return {type, shape, memory[turn], {}}; }
  MutableTensorView mutable_view(std::size_t turn) noexcept { return {type, shape, memory[turn]}; }

  static std::uint8_t bit(std::size_t turn) noexcept { return static_cast<std::uint8_t>(1U << turn); }
};

struct Buffers {
  std::vector<Buffer> inputs, outputs;
  std::size_t turn = 0;      ///< of the next run
  bool takes_turns = false;  ///< some output is fed back

  /// Where the outputs of the last run lie.
  std::size_t last_turn() const noexcept { return takes_turns ? 1 - turn : turn; }
};

/// Zeroed memory for everything whose shape is known. Errors: OutOfMemory, InvalidArgument (a size that
/// cannot be had).
Result<Buffers> make_buffers(const PreparedLayout& layout);

/// Gives an output memory of its own, now that its shape is known, with the elements of `first`.
/// Errors: OutOfMemory.
Result<void> settle(Buffer& output, const Tensor& first);

/// Makes the two change places after each run. Both must be held by the run, of one type and shape; an output
/// whose shape is not known takes the input's. Errors: OutOfMemory.
Result<void> feed_back(Buffers& buffers, Buffer& output, Buffer& input);

}  // namespace surefoot::session
