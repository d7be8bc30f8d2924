#include "apps/cli/input/wav.hpp"

#include <fmt/format.h>
#include <sndfile.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "apps/cli/input/numbers.hpp"
#include "apps/cli/input/shape_text.hpp"

namespace surefoot::cli {
namespace {

constexpr std::string_view kKnown[] = {"rate", "channel", "format"};

/// A file in memory, as libsndfile wants to see it.
struct MemoryFile {
  std::span<const std::byte> bytes;
  sf_count_t at = 0;
  sf_count_t size() const { return static_cast<sf_count_t>(bytes.size()); }
};

MemoryFile& of(void* user) { return *static_cast<MemoryFile*>(user); }

SF_VIRTUAL_IO memory_io() {
  SF_VIRTUAL_IO io{};
  io.get_filelen = [](void* user) { return of(user).size(); };
  io.seek = [](sf_count_t offset, int whence, void* user) {
    MemoryFile& file = of(user);
    const sf_count_t base = whence == SEEK_CUR ? file.at : whence == SEEK_END ? file.size() : 0;
    return file.at = std::clamp<sf_count_t>(base + offset, 0, file.size());
  };
  io.read = [](void* to, sf_count_t count, void* user) {
    MemoryFile& file = of(user);
    const sf_count_t got = std::clamp<sf_count_t>(count, 0, file.size() - file.at);
    if (got > 0) std::memcpy(to, file.bytes.data() + file.at, static_cast<std::size_t>(got));
    file.at += got;
    return got;
  };
  io.write = [](const void*, sf_count_t, void*) { return sf_count_t{0}; };
  io.tell = [](void* user) { return of(user).at; };
  return io;
}

struct Close {
  void operator()(SNDFILE* file) const { sf_close(file); }
};

struct Sound {
  std::unique_ptr<SNDFILE, Close> file;
  SF_INFO info{};
  std::size_t channel = 0;
};

Failure wrong_sound(std::string what, std::string hint) {
  return fail({.code = ErrorCode::InvalidInput, .what = std::move(what), .hint = std::move(hint)});
}

Result<Sound> open_sound(MemoryFile& memory) {
  Sound sound;
  SF_VIRTUAL_IO io = memory_io();
  sound.file.reset(sf_open_virtual(&io, SFM_READ, &sound.info, &memory));
  if (!sound.file)
    return wrong_sound(fmt::format("the sound file cannot be decoded: {}", sf_strerror(nullptr)),
                       "convert it to WAV with 16-bit samples");
  return sound;
}

Result<void> check_rate(const SpecOptions& given, const SF_INFO& info) {
  const auto rate = given.whole_number("rate");
  if (!rate) return fail(rate.error());
  if (!*rate || **rate == static_cast<std::uint64_t>(info.samplerate)) return {};
  return wrong_sound(
      fmt::format("the sound file has {} samples a second, {} are wanted", info.samplerate, **rate),
      "resample it first, or correct `rate=`");
}

Result<std::size_t> choose_channel(const SpecOptions& given, const SF_INFO& info) {
  const auto channel = given.whole_number("channel");
  if (!channel) return fail(channel.error());
  if (!*channel && info.channels == 1) return std::size_t{0};
  if (!*channel)
    return wrong_sound(fmt::format("the sound file has {} channels, one is wanted", info.channels),
                       fmt::format("pick one: `channel=0` to `channel={}`", info.channels - 1));
  if (**channel < static_cast<std::uint64_t>(info.channels)) return static_cast<std::size_t>(**channel);
  return wrong_sound(
      fmt::format("the sound file has {} channels, there is no channel {}", info.channels, **channel),
      "channels count from 0");
}

sf_count_t read_frames(SNDFILE* file, float* to, sf_count_t count) { return sf_readf_float(file, to, count); }
sf_count_t read_frames(SNDFILE* file, double* to, sf_count_t count) {
  return sf_readf_double(file, to, count);
}
sf_count_t read_frames(SNDFILE* file, short* to, sf_count_t count) { return sf_readf_short(file, to, count); }

/// Reads until the end: the length that the header states is not believed.
template <class T>
std::vector<T> read_samples(const Sound& sound) {
  constexpr sf_count_t kFrames = 4096;
  const auto channels = static_cast<std::size_t>(sound.info.channels);
  std::vector<T> block(static_cast<std::size_t>(kFrames) * channels), samples;
  for (sf_count_t got; (got = read_frames(sound.file.get(), block.data(), kFrames)) > 0;)
    for (std::size_t i = 0; i < static_cast<std::size_t>(got); ++i)
      samples.push_back(block[i * channels + sound.channel]);
  return samples;
}

template <class T>
Result<Tensor> sound_tensor(const Sound& sound, std::size_t rank) {
  const std::vector<T> samples = read_samples<T>(sound);
  Shape shape(std::max<std::size_t>(rank, 1), 1);
  shape.back() = static_cast<std::int64_t>(samples.size());
  return Tensor::of<T>(std::span<const T>(samples), std::move(shape));
}

Result<Tensor> samples_as(ElementType type, const Sound& sound, std::size_t rank) {
  if (type == ElementType::Int16) return sound_tensor<std::int16_t>(sound, rank);
  if (type == ElementType::Float64) return sound_tensor<double>(sound, rank);
  auto tensor = sound_tensor<float>(sound, rank);
  if (!tensor || type == ElementType::Float32) return tensor;
  return tensor_of_numbers(type, tensor->shape(), numbers_of(*tensor));
}

}  // namespace

bool is_sound(std::span<const std::byte> bytes) noexcept {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const bool wave =
      (text.starts_with("RIFF") || text.starts_with("RIFX")) && text.substr(0, 12).ends_with("WAVE");
  return wave || text.starts_with("fLaC") || text.starts_with("OggS");
}

Result<Tensor> read_sound(std::span<const std::byte> bytes, const SpecOptions& given,
                          const ValueType& declared) {
  if (auto known = given.check_known("a sound file", kKnown); !known) return fail(std::move(known).error());
  const ElementType type =
      declared.element == ElementType::Undefined ? ElementType::Float32 : declared.element;
  if (type != ElementType::Int16 && !is_floating(type))
    return fail({.code = ErrorCode::Unsupported,
                 .what = fmt::format("a sound file cannot become {}", to_string(type)),
                 .hint = "floating-point types and int16 can hold samples"});
  MemoryFile memory{.bytes = bytes};
  auto sound = open_sound(memory);
  if (!sound) return fail(std::move(sound).error());
  if (auto rate = check_rate(given, sound->info); !rate) return fail(std::move(rate).error());
  const auto channel = choose_channel(given, sound->info);
  if (!channel) return fail(channel.error());
  sound->channel = *channel;
  return samples_as(type, *sound, declared_rank(declared).value_or(2));
}

}  // namespace surefoot::cli
