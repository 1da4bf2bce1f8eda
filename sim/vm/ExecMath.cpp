// The math library, lane by lane on the host's.
#include "sim/vm/Warp.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace sim::vm {

namespace {

constexpr double kPi = 3.14159265358979323846;

/// sin(pi x), exact at multiples of 1/2.
double sinPi(double x) {
    if (!std::isfinite(x)) return std::nan("");
    double r = std::fmod(x, 2.0);
    if (r == 0.0 || r == 1.0 || r == -1.0) return std::copysign(0.0, x);
    if (r > 1.0) r -= 2.0;
    if (r < -1.0) r += 2.0;
    if (r > 0.5) r = 1.0 - r;
    if (r < -0.5) r = -1.0 - r;
    return std::sin(kPi * r);
}
double cosPi(double x) {
    if (!std::isfinite(x)) return std::nan("");
    const double r = std::fabs(std::fmod(x, 2.0));
    if (r == 0.5 || r == 1.5) return 0.0;
    return std::cos(kPi * r);
}

/// Inverse of erf: a rational start (Giles, "Approximating the erfinv function") and Newton steps on erfc, which
/// keeps its precision in the tails.
double inverseErfc(double y) {
    if (y < 0.0 || y > 2.0 || std::isnan(y)) return std::nan("");
    if (y == 0.0) return std::numeric_limits<double>::infinity();
    if (y == 2.0) return -std::numeric_limits<double>::infinity();
    const double p = y < 1.0 ? y : 2.0 - y, t = std::sqrt(-2.0 * std::log(p / 2.0));
    double x = -0.70711 * ((2.30753 + t * 0.27061) / (1.0 + t * (0.99229 + t * 0.04481)) - t);
    for (int step = 0; step < 4; ++step) {
        const double error = std::erfc(x) - p;
        x += error / (1.12837916709551257 * std::exp(-x * x) - x * error);
    }
    return y < 1.0 ? x : -x;
}
double inverseErf(double x) {
    if (std::fabs(x) < 0.5) { // 1 - x would lose the small ones
        double r = x * 0.88622692545275801;
        for (int step = 0; step < 5; ++step) r -= (std::erf(r) - x) / (1.12837916709551257 * std::exp(-r * r));
        return x == 0.0 ? x : r;
    }
    return inverseErfc(1.0 - x);
}
/// exp(x*x) * erfc(x): directly while erfc is a normal number, then by its asymptotic series.
double scaledErfc(double x) {
    if (x < 20.0) return std::exp(x * x) * std::erfc(x);
    const double s = 1.0 / (2.0 * x * x);
    return 0.56418958354775629 / x * (1.0 - s * (1.0 - 3.0 * s * (1.0 - 5.0 * s)));
}
/// Modified Bessel functions of the first kind by their power series, all of whose terms are positive.
double besselI(int order, double x) {
    const double q = x * x / 4.0;
    double term = order == 0 ? 1.0 : x / 2.0, total = term;
    for (int k = 1; k < 2000 && std::fabs(term) > std::fabs(total) * 1e-17; ++k) {
        term *= q / (double(k) * double(k + order));
        total += term;
    }
    return total;
}

double evaluate(MathFunction f, double a, double b, double c) {
    switch (f) {
    case MathFunction::sin: case MathFunction::fastSin: return std::sin(a);
    case MathFunction::cos: case MathFunction::fastCos: return std::cos(a);
    case MathFunction::tan: case MathFunction::fastTan: return std::tan(a);
    case MathFunction::sinpi: return sinPi(a);
    case MathFunction::cospi: return cosPi(a);
    case MathFunction::asin: return std::asin(a);
    case MathFunction::acos: return std::acos(a);
    case MathFunction::atan: return std::atan(a);
    case MathFunction::atan2: return std::atan2(a, b);
    case MathFunction::sinh: return std::sinh(a);
    case MathFunction::cosh: return std::cosh(a);
    case MathFunction::tanh: case MathFunction::fastTanh: return std::tanh(a);
    case MathFunction::asinh: return std::asinh(a);
    case MathFunction::acosh: return std::acosh(a);
    case MathFunction::atanh: return std::atanh(a);
    case MathFunction::exp: case MathFunction::fastExp: return std::exp(a);
    case MathFunction::exp2: case MathFunction::fastExp2: return std::exp2(a);
    case MathFunction::exp10: case MathFunction::fastExp10: return std::pow(10.0, a);
    case MathFunction::expm1: return std::expm1(a);
    case MathFunction::log: case MathFunction::fastLog: return std::log(a);
    case MathFunction::log2: case MathFunction::fastLog2: return std::log2(a);
    case MathFunction::log10: case MathFunction::fastLog10: return std::log10(a);
    case MathFunction::log1p: return std::log1p(a);
    case MathFunction::logb: return std::logb(a);
    case MathFunction::pow: return std::pow(a, b);
    case MathFunction::fastPow: return std::exp2(b * std::log2(a));
    case MathFunction::cbrt: return std::cbrt(a);
    case MathFunction::rcbrt: return 1.0 / std::cbrt(a);
    case MathFunction::rsqrt: return 1.0 / std::sqrt(a);
    case MathFunction::hypot: return std::hypot(a, b);
    case MathFunction::rhypot: return 1.0 / std::hypot(a, b);
    case MathFunction::norm3d: return std::hypot(a, b, c);
    case MathFunction::rnorm3d: return 1.0 / std::hypot(a, b, c);
    case MathFunction::erf: return std::erf(a);
    case MathFunction::erfc: return std::erfc(a);
    case MathFunction::erfinv: return inverseErf(a);
    case MathFunction::erfcinv: return inverseErfc(a);
    case MathFunction::erfcx: return scaledErfc(a);
    case MathFunction::normcdf: return 0.5 * std::erfc(-a * 0.70710678118654752);
    case MathFunction::normcdfinv: return -1.41421356237309505 * inverseErfc(2.0 * a);
    case MathFunction::lgamma: return std::lgamma(a);
    case MathFunction::tgamma: return std::tgamma(a);
    case MathFunction::j0: return ::j0(a);
    case MathFunction::j1: return ::j1(a);
    case MathFunction::y0: return a < 0 ? std::nan("") : ::y0(a);
    case MathFunction::y1: return a < 0 ? std::nan("") : ::y1(a);
    case MathFunction::cylBesselI0: return besselI(0, a);
    case MathFunction::cylBesselI1: return besselI(1, a);
    case MathFunction::fdim: return std::fdim(a, b);
    case MathFunction::remainder: return std::remainder(a, b);
    case MathFunction::round: return std::round(a);
    case MathFunction::saturate: return a > 0.0 ? (a < 1.0 ? a : 1.0) : 0.0;
    case MathFunction::fastDivide: return a / b;
    case MathFunction::frexpFraction: { int e; return std::frexp(a, &e); }
    default: return std::nan("");
    }
}

/// Exponent and rounding functions with an integer result or operand, the same for both precisions.
template <class F, class I> bool integral(MathFunction f, F a, I second, F& real, I& result) {
    switch (f) {
    case MathFunction::ilogb: result = I(std::ilogb(a)); return true;
    case MathFunction::lround: {
        const double r = std::round(double(a)), limit = std::ldexp(1.0, int(sizeof(I) * 8 - 1));
        result = std::isnan(r) ? I(0) : r >= limit ? std::numeric_limits<I>::max() : r < -limit ? std::numeric_limits<I>::min() : I(r);
        return true;
    }
    case MathFunction::frexpExponent: {
        int e = 0;
        if (std::isfinite(a)) std::frexp(a, &e);
        result = I(e);
        return true;
    }
    case MathFunction::powi: real = F(std::pow(double(a), double(int(second)))); break;
    case MathFunction::ldexp: real = std::ldexp(a, int(second)); break;
    default: break;
    }
    return false;
}

float singleOf(MathFunction f, float a, float b, float c) {
    if (f == MathFunction::nextafter) return std::nextafter(a, b);
    return float(evaluate(f, a, b, c));
}
double singleOf(MathFunction f, double a, double b, double c) {
    if (f == MathFunction::nextafter) return std::nextafter(a, b);
    return evaluate(f, a, b, c);
}

/// The NaNs of a device: one pattern in single precision; in double an operand's NaN goes through, and a new one has
/// its sign bit set, except asin's of large positive numbers (seen on an H200).
float nanResult(MathFunction, float, float) { return std::bit_cast<float>(0x7fffffffu); }
double nanResult(MathFunction f, double a, double b) {
    if (std::isnan(a)) return a;
    if (arityOf(f) > 1 && std::isnan(b)) return b;
    return std::bit_cast<double>(f == MathFunction::asin && a > 0 ? 0x7ff8000000000000u : 0xfff8000000000000u);
}

template <class F, class I> const Instruction* math(Warp& w, const Instruction* i) {
    const MathFunction f = MathFunction(i->aux);
    const auto at = [&](uint16_t slot, unsigned lane) { return w.registers + size_t{slot} * kSlotBytes + lane * sizeof(F); };
    const unsigned arity = arityOf(f);
    const bool intOperand = f == MathFunction::powi || f == MathFunction::ldexp;
    for (uint32_t rest = w.active; rest; rest &= rest - 1) {
        const unsigned lane = unsigned(std::countr_zero(rest));
        F a = 0, b = 0, c = 0;
        I second = 0, result = 0;
        std::memcpy(&a, at(i->a, lane), sizeof a);
        if (arity > 1) std::memcpy(intOperand ? static_cast<void*>(&second) : &b, at(i->b, lane), sizeof b);
        if (arity > 2) std::memcpy(&c, at(i->c, lane), sizeof c);
        F real = 0;
        if (!integral(f, a, second, real, result)) {
            if (!intOperand) real = singleOf(f, a, b, c);
            if (std::isnan(real)) real = nanResult(f, a, b);
            std::memcpy(&result, &real, sizeof result);
        }
        std::memcpy(at(i->d, lane), &result, sizeof result);
    }
    return i + 1;
}

} // namespace

void addMath(HandlerTables& t) {
    t.set(Opcode::MathF32, math<float, int32_t>, math<float, int32_t>);
    t.set(Opcode::MathF64, math<double, int64_t>, math<double, int64_t>);
}

} // namespace sim::vm
