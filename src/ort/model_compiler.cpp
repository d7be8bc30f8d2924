#include "ort/model_compiler.hpp"

#include "ort/log.hpp"

namespace surefoot::ort {
namespace {

/// The table of compile functions, and the one object that they work on.
class Compilation {
 public:
  explicit Compilation(const Api& api)
      : api_(api), table_(reinterpret_cast<const void* const*>(api.get(fn::GetCompileApi)())) {}
  ~Compilation() {
    using Release = Pointer<void(OrtModelCompilationOptions*)>::type;
    reinterpret_cast<Release>(const_cast<void*>(table_[compile_fn::ReleaseModelCompilationOptions.slot]))(
        options_);
  }
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

  Result<void> start(const OrtEnv* environment, const OrtSessionOptions* session) {
    return api_.call_in(table_, compile_fn::CreateModelCompilationOptionsFromSessionOptions, environment,
                        session, &options_);
  }
  template <class Signature, class... A>
  Result<void> set(const Function<Signature>& function, A... arguments) const {
    return api_.call_in(table_, function, options_, arguments...);
  }
  /// The same for what only a newer ORT has, and does without.
  template <class Signature, class... A>
  Result<void> set_if_there(const Function<Signature>& function, A... arguments) const {
    return api_.has(function) ? set(function, arguments...) : Result<void>();
  }
  Result<void> compile(const OrtEnv* environment) const {
    return api_.call_in(table_, compile_fn::CompileModel, environment,
                        static_cast<const OrtModelCompilationOptions*>(options_));
  }

 private:
  const Api& api_;
  const void* const* table_;
  OrtModelCompilationOptions* options_ = nullptr;
};

Result<void> describe(const Compilation& compilation, const CompileSettings& what, OptimizationLevel level) {
  using namespace compile_fn;
  auto done = compilation.set(ModelCompilationOptions_SetInputModelPath, what.source.c_str());
  if (done) done = compilation.set(ModelCompilationOptions_SetOutputModelPath, what.destination.c_str());
  if (done) done = compilation.set(ModelCompilationOptions_SetEpContextEmbedMode, what.embed);
  if (done && !what.weights.empty())
    done = compilation.set(ModelCompilationOptions_SetOutputModelExternalInitializersFile,
                           what.weights.c_str(), what.weights_from_bytes);
  if (done)
    done =
        compilation.set_if_there(ModelCompilationOptions_SetFlags,
                                 static_cast<std::uint32_t>(OrtCompileApiFlags_ERROR_IF_NO_NODES_COMPILED));
  // Not that of the session's options: a level of its own, which is none unless it is set.
  if (done)
    done = compilation.set_if_there(ModelCompilationOptions_SetGraphOptimizationLevel, level_of(level));
  return done;
}

}  // namespace

Result<void> compile_model(Environment& environment, const SessionSettings& session,
                           const CompileSettings& what) {
  const Api& api = environment.api();
  if (!api.has(fn::GetCompileApi)) return fail(api.lacking(fn::GetCompileApi));
  const LiveSession live(environment);
  const LogCapture log;
  auto options = make_options(environment, session);
  if (!options) return fail(std::move(options).error());
  const auto* env = static_cast<const OrtEnv*>(environment.handle());
  Compilation compilation(api);
  auto done = compilation.start(env, options->get());
  if (done) done = describe(compilation, what, session.optimization);
  if (done) done = compilation.compile(env);
  if (done) return done;
  return fail(log.explain(std::move(done).error()));
}

}  // namespace surefoot::ort
