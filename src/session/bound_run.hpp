/// The buffers of a prepared run, bound to one candidate's session.
#pragma once

#include <vector>

#include "ort/binding.hpp"
#include "session/buffers.hpp"
#include "session/opener.hpp"

namespace surefoot::session {

/// Refers to the buffers' memory, not to the Buffers. Where the session takes an input or leaves an output on
/// a device, that memory is mirrored there: an input is sent when it has changed, an output is fetched after
/// each run, and what is fed back stays.
class BoundRun {
 public:
  /// Errors: what ORT said.
  static Result<BoundRun> bind(const Opened& opened, Buffers& buffers);

  /// Runs the turn that it is. The first run tells the shapes that were not known. Outputs whose shape then
  /// turns out to change from run to run are left to ONNX Runtime from there on.
  /// Errors: what ORT said.
  Result<void> run(const ort::RunOptions& options, Buffers& buffers);

  const ort::Session* session() const noexcept { return session_.get(); }

  /// No output is left to ONNX Runtime.
  bool is_all_bound() const noexcept { return all_bound_; }
  /// What lies elsewhere than in lasting memory on the device: a captured graph would not see it change.
  /// Gives a clause with its name, or nothing.
  std::string off_device(const Buffers& buffers) const;

  /// The memory on the device behind that buffer; null where there is none.
  std::shared_ptr<ort::DeviceTensor> mirror_of(std::span<const std::byte> host) const noexcept;
  /// Copies changed inputs to their mirrors, as run() does.
  Result<void> send_changes(Buffers& buffers);
  /// Copies an input that was written on the device to the host, which has it from then on.
  Result<void> bring_home(Buffer& input, std::size_t turn) const;

 private:
  /// An input or output with a mirror, or an input that ORT copies by itself when it is bound again.
  struct Link {
    std::size_t index;
    std::array<std::shared_ptr<ort::DeviceTensor>, 2> mirror = {};  ///< for each turn; null: ORT copies
  };

  explicit BoundRun(std::shared_ptr<const ort::Session> session) : session_(std::move(session)) {}
  std::shared_ptr<ort::DeviceTensor> mirror(const ort::Place& place, Buffer& buffer, std::size_t turn);
  Result<void> bind_turn(Buffers& buffers, std::size_t turn);
  Result<void> bind_input(Buffers& buffers, std::size_t index, std::size_t turn);
  Result<void> bind_output(Buffers& buffers, std::size_t index, std::size_t turn);
  bool is_fetched(const ort::DeviceTensor* mirror) const noexcept;
  Result<void> fetch(Buffers& buffers);
  Result<void> leave_unbound(const Buffers& buffers);
  Result<void> take_placed(Buffers& buffers);
  Result<void> take(Buffers& buffers, std::size_t index);
  Result<void> run_turn(const ort::RunOptions& options, Buffers& buffers);

  std::shared_ptr<const ort::Session> session_;
  std::vector<std::shared_ptr<ort::DeviceTensor>> mirrors_;
  std::string no_mirror_;            ///< why memory on the device could not be had, in ORT's words
  std::vector<ort::Binding> turns_;  ///< two where buffers take turns
  std::vector<Link> sent_, fetched_;
  bool all_bound_ = true;
};

}  // namespace surefoot::session
