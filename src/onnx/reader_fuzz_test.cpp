// Bounded fuzzing with a fixed seed: whatever the bytes, the reader answers with facts or InvalidModel.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>

#include "onnx/graph_outline.hpp"
#include "onnx/model_reader.hpp"
#include "onnx/model_writer.hpp"
#include "surefoot/model_info.hpp"

namespace surefoot::onnx {
namespace {

/// A small model that uses every part of the format that the reader knows.
std::string rich_model() {
  const Tensor weight = Tensor::of<float>({1, 2, 3}, {3}).value();
  const Tensor index = Tensor::of<std::int64_t>({0, 4, 7}, {3}).value();
  GraphBuilder body("body");
  body.initializer(
      {.name = "far", .type = ElementType::Float32, .shape = {3}, .location = "w", .offset = 1, .bytes = 12});
  body.node({.op = "Constant", .outputs = {"c"}, .attributes = {{"value", weight.view()}}});
  body.output("c", tensor_type(ElementType::Float32, {3}));
  ModelBuilder model;
  model.producer("p", "1");
  model.metadata("key", "value");
  model.input("x",
              optional_type(sequence_type(map_type(ElementType::Int64, tensor_type(ElementType::Float32)))));
  model.input("w", sparse_tensor_type(ElementType::Float32, {1, "n", ""}));
  model.output("y", tensor_type(ElementType::Int4, {Dimension{.size = 2, .denotation = "DATA"}}));
  model.initializer("w", weight.view());
  model.initializer("s", Tensor::from_strings({"a", "b"}, {2}).value().view());
  model.sparse_initializer("z", weight.view(), index.view(), {9});
  model.node({.op = "If", .inputs = {"x"}, .outputs = {"y"}, .attributes = {{"then_branch", body}}});
  model.node(
      {.op = "EPContext", .attributes = {{"embed_mode", 0}, {"source", "P"}}, .domain = "com.microsoft"});
  model.function(
      {.name = "F", .domain = "d", .inputs = {"i"}, .nodes = {{.op = "Relu"}}, .opsets = {{"", 17}}});
  return model.bytes();
}

/// Reads `bytes` from memory of exactly their size, so that sanitizers see every step outside.
void expect_answer(const std::string& bytes) {
  const auto exact = std::make_unique<std::byte[]>(bytes.size());
  std::memcpy(exact.get(), bytes.data(), bytes.size());
  const std::span<const std::byte> model(exact.get(), bytes.size());
  const auto outline = read_outline(model);
  ASSERT_TRUE(outline || outline.error().code == ErrorCode::InvalidModel) << to_string(outline.error());
  auto info = inspect(model);
  Source source(model);
  const auto index = index_model(source, "it");
  ASSERT_TRUE(index || index.error().code == ErrorCode::InvalidModel) << to_string(index.error());
  if (index) {
    ASSERT_TRUE(info) << to_string(info.error());
    ASSERT_EQ(index->info.node_count, info->node_count);
    ASSERT_EQ(index->info.initializer_bytes, info->initializer_bytes);
  }
  if (info) return;
  ASSERT_EQ(info.error().code, ErrorCode::InvalidModel) << to_string(info.error());
  ASSERT_FALSE(info.error().what.empty());
}

class ReaderFuzz : public testing::Test {
 protected:
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }
  char any_byte() { return static_cast<char>(random_() & 0xff); }

  const std::string model_ = rich_model();
  std::mt19937_64 random_{20'24};
};

TEST_F(ReaderFuzz, TheModelItselfIsRead) {
  auto info = inspect(std::as_bytes(std::span(model_)));
  ASSERT_TRUE(info) << to_string(info.error());
  EXPECT_EQ(info->node_count, 4u);
}

TEST_F(ReaderFuzz, AnswersToEveryTruncation) {
  for (std::size_t size = 0; size < model_.size(); ++size) {
    SCOPED_TRACE(size);
    expect_answer(model_.substr(0, size));
  }
}

TEST_F(ReaderFuzz, AnswersToEverySingleBitThatFlips) {
  for (std::size_t bit = 0; bit < model_.size() * 8; ++bit) {
    SCOPED_TRACE(bit);
    std::string bytes = model_;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    expect_answer(bytes);
  }
}

TEST_F(ReaderFuzz, AnswersToManyChangedBytes) {
  for (int round = 0; round < 20'000; ++round) {
    SCOPED_TRACE(round);
    std::string bytes = model_;
    for (std::size_t change = 1 + below(8); change > 0; --change) bytes[below(bytes.size())] = any_byte();
    expect_answer(bytes);
  }
}

TEST_F(ReaderFuzz, AnswersToPartsThatMoved) {
  for (int round = 0; round < 20'000; ++round) {
    SCOPED_TRACE(round);
    std::string bytes = model_;
    const std::size_t from = below(bytes.size());
    const std::string part = bytes.substr(from, 1 + below(64));
    if (below(2) == 0) bytes.erase(from, part.size());
    bytes.insert(below(bytes.size()), part);
    expect_answer(bytes);
  }
}

TEST_F(ReaderFuzz, AnswersToRandomBytes) {
  for (int round = 0; round < 20'000; ++round) {
    SCOPED_TRACE(round);
    std::string bytes(below(300), '\0');
    for (char& byte : bytes) byte = any_byte();
    if (below(2) == 0) bytes.insert(0, "\x08\x08\x3a");  // an IR version, and a graph
    expect_answer(bytes);
  }
}

TEST_F(ReaderFuzz, AnswersToLengthsAtTheEdgesOfNumbers) {
  const std::uint64_t edges[] = {0x7f, 0x80, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000005, UINT64_MAX};
  for (std::size_t place = 0; place < model_.size(); ++place)
    for (std::uint64_t edge : edges) {
      std::string varint;
      for (; edge >= 0x80; edge >>= 7) varint += static_cast<char>(edge | 0x80);
      varint += static_cast<char>(edge);
      expect_answer(model_.substr(0, place) + varint + model_.substr(place + 1));
    }
}

}  // namespace
}  // namespace surefoot::onnx
