/// Sound files as model inputs: one channel of PCM samples.
///
/// Options   rate=16000   checks the file's sample rate; nothing is resampled
///           channel=0    picks one channel, counted from 0, of a file that has several
#pragma once

#include "apps/cli/input/spec_options.hpp"
#include "surefoot/model_info.hpp"

namespace surefoot::cli {

/// Whether the bytes begin as a WAV, FLAC or Ogg file does.
bool is_sound(std::span<const std::byte> bytes) noexcept;

/// The samples, as [N], or with ones in front for each further declared axis ([1,N] where no rank
/// is declared). Floating-point types hold -1 to 1; int16 the file's own 16-bit samples.
/// Errors: InvalidInput (damaged, several channels, another sample rate), InvalidArgument
/// (options), Unsupported (another declared type).
Result<Tensor> read_sound(std::span<const std::byte> bytes, const SpecOptions& given,
                          const ValueType& declared);

}  // namespace surefoot::cli
