// The CPU kernels: raw pointers in, raw pointers out. They know nothing of torch or of autograd;
// the functions of include/hgnet/ops check shapes, allocate and call them.
//
// Every kernel is parallel over rows of its output and each row is computed by one thread, in the
// order of its slots: results have the same bits for every number of threads. Vector instructions
// are chosen at run time (Highway).
//
// Matrices are row-major and dense. "slot" is as in CsrView. All take float or double.

#pragma once

#include <cstdint>

#include "hgnet/core/activation.hpp"
#include "hgnet/core/ids.hpp"
#include "hgnet/graph/csr.hpp"

namespace hgnet::kernels {

/// How values are found for the slots of a sparse matrix.
template <class T>
struct SlotValues {
  const T* values = nullptr;         // null: every value is 1
  const EdgeId* position = nullptr;  // null: slot s has values[s]; otherwise values[position[s]]
};

/// Dense rows of a matrix that may be part of a wider one: row r starts at data + r * stride.
template <class T>
struct Rows {
  T* data = nullptr;
  std::int64_t stride = 0;

  T* row(std::int64_t r) const { return data + r * stride; }
};

/// y_r = add_r + row_scale_r (diagonal_r x_r + sum over slots s of row r of value_s x_{column_s})
///       + parent_rows_{parent_r}.
/// What is null counts as none: add, diagonal, parents; row_scale and values as 1.
template <class T>
struct Spmm {
  CsrView a = {};
  SlotValues<T> values = {};
  const T* diagonal = nullptr;
  const T* row_scale = nullptr;
  Rows<const T> add = {};
  const NodeId* parent = nullptr;
  const T* parent_rows = nullptr;
  Rows<const T> x = {};
  Rows<T> y = {};
  std::int64_t channels = 0;
};

template <class T>
void spmm(const Spmm<T>& args, int threads);

/// out_s = y_r . x_{column_s} for the slot s of row r: the gradient of spmm's values.
template <class T>
void slot_dots(const CsrView& a, const T* y, const T* x, T* out, std::int64_t channels,
               int threads);

/// y_v = add_v + scale_p x_p with p = parent_v; add_v alone where parent_v is kNoNode. `scale` may be null: 1, and `add`: 0.
template <class T>
struct GatherRows {
  const NodeId* parent = nullptr;
  std::int64_t num_rows = 0;
  std::int64_t channels = 0;
  const T* scale = nullptr;
  const T* x = nullptr;
  const T* add = nullptr;
  T* y = nullptr;
};

template <class T>
void gather_rows(const GatherRows<T>& args, int threads);

/// Row numbers beside values of type T: integers of the same width, so that both fit one vector.
template <class T>
struct IndexOf;
template <>
struct IndexOf<float> {
  using type = std::int32_t;
};
template <>
struct IndexOf<double> {
  using type = std::int64_t;
};

/// y_pc = max over members v of p of x_vc, and the first v that has it; 0 and -1 without members.
template <class T>
void segment_max(const CsrView& members, const T* x, T* y, typename IndexOf<T>::type* first,
                 std::int64_t channels, int threads);

/// grad_x_vc = grad_y_pc if v is the first of p = parent_v in column c, else 0.
template <class T>
void segment_max_backward(const NodeId* parent, std::int64_t num_rows,
                          const typename IndexOf<T>::type* first, const T* grad_y, T* grad_x,
                          std::int64_t channels, int threads);

/// Softmax of `logits` over the slots of each row, column by column; columns are heads.
template <class T>
void segment_softmax(const CsrView& a, const T* logits, T* out, std::int64_t heads, int threads);

/// grad_logits_s = p_s (g_s - sum over the slots t of the row of p_t g_t).
template <class T>
void segment_softmax_backward(const CsrView& a, const T* softmax, const T* grad, T* grad_logits,
                              std::int64_t heads, int threads);

/// x_i <- exp(x_i); what is not a number stays so.
void exponentials(std::span<float> x);

/// p_s = softmax over the slots s of row v of (node_scores[u][0] + node_scores[v][1] + bias), u the
/// neighbour in slot s. node_scores is [nodes, 2].
template <class T>
void edge_softmax(const CsrView& a, const T* node_scores, T bias, T* out, int threads);

/// With r_s = p_s (g_s - sum_t p_t g_t) over the row:
/// grad_node_scores[v][1] = sum of r over row v, [u][0] = sum of r over the edges out of u.
/// `scratch` holds one value per slot.
template <class T>
void edge_softmax_backward(const CsrView& a, const EdgeId* reverse, const T* p, const T* grad,
                           T* scratch, T* grad_node_scores, int threads);

/// Attention with a self-loop at every node; slots that are self-loops themselves are passed over.
/// Arrays "by place" have a row of `heads` for each slot and then one for each node's self-loop.
template <class T>
struct Attention {
  CsrView a;
  std::int64_t heads = 1;
  std::int64_t channels = 1;  // of one head
  T slope = 0;                // of the leaky ReLU
  const T* x = nullptr;       // [nodes, heads * channels]
  const T* source = nullptr;  // [nodes, heads]
  const T* target = nullptr;  // [nodes, heads]
};

/// alpha by place = softmax over the places into v of LeakyReLU(source_u + target_v);
/// kept by place = keep alpha; y_v = sum over the places into v of kept x_u. Without dropout keep is
/// null and kept the same as alpha.
template <class T>
void attention(const Attention<T>& args, const T* keep, T* alpha, T* kept, T* y, int threads);

template <class T>
struct AttentionGradients {
  T* x = nullptr;
  T* source = nullptr;
  T* target = nullptr;
  T* logits = nullptr;  // scratch, by place
};

/// With dots = dy_v . x_u: dlogit = (kept dots - alpha sum kept dots) LeakyReLU'(logit), all by place
/// and head; dtarget_v = sum of dlogit into v, dsource_u = sum of dlogit out of u, dx_u = sum over
/// the places out of u of kept dy_v.
template <class T>
void attention_backward(const Attention<T>& args, const EdgeId* reverse, const T* alpha,
                        const T* kept, const T* grad_y, const AttentionGradients<T>& gradients,
                        int threads);

/// y_r = add_r + parent_rows_{parent_r} + x_r root + (M x)_r weight with M = A_values + diag(diagonal); and, with a second matrix
/// `other`, the sums over all rows r of x_r^T other_r and (M x)_r^T other_r. What is null counts as none. M x is never written out:
/// the rows are gone through in tiles that stay in the cache next to the core. For small matrices root and weight, which stay there too.
///
/// That is a layer forward; and backward with x the gradient of its result, `other` its input, and the matrices transposed.
template <class T>
struct LinearRows {
  std::int64_t rows = 0;
  std::int64_t in = 0;   // width of x
  std::int64_t out = 0;  // width of y, add and parent_rows
  CsrView a = {};
  SlotValues<T> values = {};
  const T* diagonal = nullptr;
  const T* x = nullptr;
  const T* root = nullptr;    // [in, out]
  const T* weight = nullptr;  // [in, out]
  const T* add = nullptr;
  const NodeId* parent = nullptr;
  const T* parent_rows = nullptr;
  T* y = nullptr;
  const T* other = nullptr;
  std::int64_t other_width = 0;
  T* own_outer = nullptr;       // [in, other_width]
  T* gathered_outer = nullptr;  // [in, other_width]

  bool gathers() const { return weight != nullptr || gathered_outer != nullptr; }
};

template <class T>
void linear_rows(const LinearRows<T>& args, int threads);

/// out_v = x_v . y_p with p = parent_v, 0 where parent_v is kNoNode.
template <class T>
void parent_dots(const NodeId* parent, std::int64_t num_rows, std::int64_t channels, const T* x,
                 const T* y, T* out, int threads);

/// Messages value_s ReLU(x_u + e_s) along the slots s of u -> v.
template <class T>
struct Messages {
  CsrView a = {};
  const T* values = nullptr;            // by slot; null: 1
  const T* x = nullptr;                 // [nodes, channels]
  const T* edge_rows = nullptr;         // null: e is 0
  const NodeId* row_of_slot = nullptr;  // row of edge_rows for each slot; null: row s
  std::int64_t channels = 0;
};

/// y_v = sum of the messages into v.
template <class T>
void relu_messages(const Messages<T>& args, T* y, int threads);

/// grad_x_u = sum over the edges u -> v of value [x_u + e > 0] grad_y_v.
template <class T>
void relu_messages_backward(const Messages<T>& args, const EdgeId* reverse, const T* grad_y,
                            T* grad_x, int threads);

/// grad_e_s = value_s [x_u + e_s > 0] grad_y_v by slot.
template <class T>
void relu_messages_edge_backward(const Messages<T>& args, const T* grad_y, T* grad_e, int threads);

/// Dropout of one call: entry (r, c) is kept, or not, by a hash of seed, r and c, so that the backward
/// pass finds the same mask again without its having been stored. p = 0: nothing is dropped.
struct DropoutMask {
  double p = 0;
  std::uint64_t seed = 0;
};

/// y = mask act(a) / (1 - p) + residual with a_rc = scale_c z_rc + shift_c; scale and shift may be null: 1 and 0, residual too: 0.
template <class T>
struct AffineAct {
  std::int64_t rows = 0;
  std::int64_t channels = 0;
  const T* z = nullptr;
  const T* scale = nullptr;
  const T* shift = nullptr;
  const T* residual = nullptr;
  Activation activation = Activation::kNone;
  DropoutMask dropout = {};
};

template <class T>
void affine_act(const AffineAct<T>& args, T* y, int threads);

/// With grad_a = d loss / d a: grad_z = gain_c grad_a + factor_c z + offset_c; factor and offset may
/// be null, gain too: 1.
template <class T>
struct InputGradient {
  T* grad_z = nullptr;  // null: not wanted
  const T* gain = nullptr;
  const T* factor = nullptr;
  const T* offset = nullptr;
};

/// By column `sum` = sum of grad_a and `product` = sum of grad_a (z - centre), `centre` null: 0.
struct ColumnSums {
  double* sum = nullptr;  // null: not wanted
  double* product = nullptr;
};

template <class T>
void affine_act_backward(const AffineAct<T>& args, const T* grad_y, const T* centre,
                         const InputGradient<T>& gradient, ColumnSums sums, int threads);

/// By column: the mean of z and the sum of (z - mean)^2, in one pass over z.
template <class T>
void column_moments(std::int64_t rows, std::int64_t channels, const T* z, double* mean,
                    double* square, int threads);

/// out_i = 1 / (1 - p) or 0.
template <class T>
void dropout_factors(DropoutMask dropout, std::int64_t n, T* out);

/// Name of the vector instructions in use, see hgnet::instruction_set().
const char* instruction_set();

}  // namespace hgnet::kernels
