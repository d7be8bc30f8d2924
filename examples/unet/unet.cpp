// A UNet of Stable Diffusion's form as an image tool runs it: sizes fixed by name, a LoRA put on a weight and
// taken off again. docs/editing.md explains it; examples/unet/make_unet.py writes the model.
//
//   unet MODEL WIDTH HEIGHT      of the image; exit 0 when the patch changed the answer, and its undo
//   restored it
#include <surefoot/model.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using surefoot::Tensor;

namespace {

/// Numbers that look like noise, the same on every run.
Tensor noise(surefoot::Shape shape) {
  std::vector<float> values(surefoot::element_count(shape).value());
  std::uint32_t state = 1;
  for (float& value : values) {
    state = state * 1664525 + 1013904223;
    value = static_cast<float>(state >> 8) / (1 << 23) - 1;
  }
  return Tensor::of<float>(values, std::move(shape)).value();
}

struct Size {
  std::int64_t width, height;
};

/// One step for two samples, one without and one with the text, as guidance wants them.
std::vector<float> step(const surefoot::Model& model, Size image) {
  const Tensor sample = noise({2, 4, image.height / 8, image.width / 8});
  const Tensor timestep = Tensor::of<float>({981}, {1}).value();
  const Tensor text = noise({2, 77, 32});
  const auto outputs =
      model.infer({{"sample", sample}, {"timestep", timestep}, {"encoder_hidden_states", text}}).value();
  const auto values = outputs.as<float>("out_sample").value();
  return {values.begin(), values.end()};
}

bool run(const char* path, Size image) {
  auto model = surefoot::Model::open(path).value();
  const std::map<std::string, std::int64_t> sizes = {{"unet_sample_batch", 2},
                                                     {"unet_sample_channels", 4},
                                                     {"unet_sample_height", image.height / 8},
                                                     {"unet_sample_width", image.width / 8},
                                                     {"unet_time_batch", 1},
                                                     {"unet_hidden_batch", 2},
                                                     {"unet_hidden_sequence", 77}};
  model.create_session(sizes).value();
  const std::vector<float> plain = step(model, image);

  std::vector<surefoot::WeightPatch> changes;
  changes.push_back({"mid.attn.to_q.weight", surefoot::LowRankDelta{noise({8, 2}), noise({2, 8}), 0.8}});
  auto lora = model.patch(std::move(changes)).value();
  model.create_session().value();
  const std::vector<float> patched = step(model, image);

  lora.release().value();
  model.create_session().value();
  const std::vector<float> restored = step(model, image);

  const auto differing = static_cast<std::size_t>(std::ranges::count_if(
      plain, [&, i = std::size_t{0}](float value) mutable { return value != patched[i++]; }));
  std::printf("patched: %zu of %zu values differ\nrestored: %s\n", differing, plain.size(),
              restored == plain ? "every value is what it was" : "values differ");
  for (const auto& event : model.session_events())
    std::printf("session %s: %s\n", std::string(to_string(event.kind)).c_str(), event.reason.c_str());
  return differing > 0 && restored == plain;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: unet MODEL WIDTH HEIGHT\n");
    return 2;
  }
  return run(argv[1], {std::atoll(argv[2]), std::atoll(argv[3])}) ? 0 : 1;
}
