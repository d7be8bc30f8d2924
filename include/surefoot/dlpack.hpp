/// Tensors handed to other frameworks where they lie, without a copy: the structures of DLPack.
#pragma once

#include <cstdint>
#include <memory>

namespace surefoot::dlpack {

/// Which kind of memory an address is of; DLPack's numbers.
enum class DeviceType : std::int32_t { Cpu = 1, Cuda = 2, Rocm = 10, Extension = 12, WebGpu = 15 };

struct Device {
  DeviceType type;
  std::int32_t number;
};

enum class TypeCode : std::uint8_t { Int = 0, UInt = 1, Float = 2, Bfloat = 4, Complex = 5, Bool = 6 };

struct DataType {
  TypeCode code;
  std::uint8_t bits;
  std::uint16_t lanes;
};

/// Axes in order, row-major; strides count elements.
struct Tensor {
  void* data;  ///< an address of the device, or its handle: of WebGPU a buffer
  Device device;
  std::int32_t rank;
  DataType type;
  std::int64_t* shape;
  std::int64_t* strides;
  std::uint64_t offset_bytes;
};

/// Laid out as DLPack's DLManagedTensor.
///
/// Lifetime  the memory lives until `deleter` is called, however long the prepared run does; memory that the
///           caller bound lives as long as the caller keeps it.
struct ManagedTensor {
  Tensor tensor;
  void* context;
  void (*deleter)(ManagedTensor* self);
};

struct Deleter {
  void operator()(ManagedTensor* tensor) const noexcept { tensor->deleter(tensor); }
};

/// Owns one; `release()` hands it to another framework, as its DLManagedTensor*.
using Exported = std::unique_ptr<ManagedTensor, Deleter>;

}  // namespace surefoot::dlpack
