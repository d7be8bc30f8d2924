#include "session/optimizer_rules.hpp"

#include <array>

namespace surefoot::session {
namespace {

constexpr std::array<std::string_view, 53> kRules = {"EliminateIdentity",
                                                     "EliminateSlice",
                                                     "EliminateDropout",
                                                     "UnsqueezeElimination",
                                                     "CastElimination",
                                                     "CastChainElimination",
                                                     "NoopElimination",
                                                     "ExpandElimination",
                                                     "DivMulFusion",
                                                     "FuseReluClip",
                                                     "GemmSumFusion",
                                                     "GemmTransposeFusion",
                                                     "NotWhereFusion",
                                                     "ConvAddFusion",
                                                     "ConvMulFusion",
                                                     "ConvBNFusion",
                                                     "PadFusion",
                                                     "MatmulBNFusion",
                                                     "ClipQuantRewrite",
                                                     "ReluQuantRewrite",
                                                     "PreShapeNodeElimination",
                                                     "LabelEncoderFusion",
                                                     "ConstantFolding",
                                                     "CommonSubexpressionElimination",
                                                     "ConstantSharing",
                                                     "PropagateCastOps",
                                                     "MatMulAddFusion",
                                                     "ReshapeFusion",
                                                     "FreeDimensionOverrideTransformer",
                                                     "QDQPropagationTransformer",
                                                     "TransposeOptimizer",
                                                     "DoubleQDQPairsRemover",
                                                     "GatherSliceToSplitFusion",
                                                     "GatherToSliceFusion",
                                                     "MatmulTransposeFusion",
                                                     "BiasGeluFusion",
                                                     "GeluFusionL1",
                                                     "GeluFusionL2",
                                                     "LayerNormFusionL1",
                                                     "LayerNormFusionL2",
                                                     "SimplifiedLayerNormFusion",
                                                     "AttentionFusion",
                                                     "EmbedLayerNormFusion",
                                                     "BiasSoftmaxFusion",
                                                     "BiasDropoutFusion",
                                                     "SkipLayerNormFusion",
                                                     "BiasSkipLayerNormFusion",
                                                     "FastGeluFusion",
                                                     "QuickGeluFusion",
                                                     "MatMulScaleFusion",
                                                     "ConvActivationFusion",
                                                     "GemmActivationFusion",
                                                     "DynamicQuantizeMatMulFusion"};

}  // namespace

std::span<const std::string_view> optimizer_rules() noexcept { return kRules; }

}  // namespace surefoot::session
