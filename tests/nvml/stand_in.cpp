// Stands in for NVIDIA's management library on machines without its driver: two cards, behind the real ABI.
// NVML_STAND_IN holds what nvmlInit_v2 answers; 0 where it is not set.
#include <cstdlib>
#include <cstring>

namespace {

struct Memory {
  unsigned long long total, free, used;
};
struct PciInfo {
  char legacy[16];
  unsigned domain, bus, device, device_and_vendor, subsystem;
  char bus_id[32];
};
struct Card {
  const char *name, *bus_id;
  unsigned long long bytes;
  int major, minor;
};
constexpr Card kCards[] = {{"NVIDIA GeForce GTX 1080", "00000000:0A:00.0", 8'589'934'592, 6, 1},
                           {"NVIDIA H200", "00000000:3B:00.0", 150'754'820'096, 9, 0}};

const Card& card(void* device) { return *static_cast<const Card*>(device); }

}  // namespace

extern "C" {
int nvmlInit_v2() {
  const char* answer = std::getenv("NVML_STAND_IN");
  return answer == nullptr ? 0 : std::atoi(answer);
}
int nvmlShutdown() { return 0; }
const char* nvmlErrorString(int code) {
  return code == 18 ? "Driver/library version mismatch" : "Unknown Error";
}
int nvmlSystemGetDriverVersion(char* text, unsigned length) {
  std::strncpy(text, "580.65.06", length);
  return 0;
}
int nvmlSystemGetCudaDriverVersion_v2(int* version) {
  *version = 13000;
  return 0;
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = 2;
  return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  *device = const_cast<Card*>(&kCards[index]);
  return 0;
}
int nvmlDeviceGetPciInfo_v3(void* device, PciInfo* info) {
  std::strncpy(info->bus_id, card(device).bus_id, sizeof info->bus_id);
  return 0;
}
int nvmlDeviceGetName(void* device, char* text, unsigned length) {
  std::strncpy(text, card(device).name, length);
  return 0;
}
int nvmlDeviceGetMemoryInfo(void* device, Memory* memory) {
  *memory = {card(device).bytes, card(device).bytes, 0};
  return 0;
}
int nvmlDeviceGetCudaComputeCapability(void* device, int* major, int* minor) {
  *major = card(device).major;
  *minor = card(device).minor;
  return 0;
}
}
