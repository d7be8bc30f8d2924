/* What tests may ask of a loaded libsurefoot_fault_ep.so, found by dlsym. Counts are the process's, over
 * all sessions, from the loading of the library or the last reset on; any thread may call. */
#ifndef SUREFOOT_FAULT_EP_H
#define SUREFOOT_FAULT_EP_H

#ifdef __cplusplus
extern "C" {
#endif

/* How often `stage` was passed, whatever came of it; -1 when there is no such stage.
 * `create` counts providers made, so sessions opened; `run` counts fused nodes run: several per
 * inference where the model was cut into parts; `capability` counts graphs that ORT asked about. */
long fault_ep_count(const char* stage);

/* Most runs that were ever inside the provider at one time. */
long fault_ep_max_concurrent_runs(void);

void fault_ep_reset_counts(void);

#ifdef __cplusplus
}
#endif

#endif
