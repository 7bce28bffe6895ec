// Student's distribution, by the incomplete beta function.
#include "decoder/totals/Student.h"

#include <algorithm>
#include <cmath>

namespace kperf::decoder {
namespace {

constexpr double kNormalFrom = 1e6; ///< degrees of freedom; from there on the two differ by less than 1e-6

/// M. Abramowitz, I. Stegun, Handbook of Mathematical Functions, 26.5.8: the continued fraction of the incomplete beta
/// function, by Lentz's method (W. J. Lentz, Applied Optics 15, 1976). For x < (a + 1) / (a + b + 2).
double betaFraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), out = d;
  for (double m = 1; m < 500; ++m) {
    for (const double term :
         {m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))}) {
      d = 1 + term * d;
      d = 1 / (std::abs(d) < kTiny ? kTiny : d);
      c = 1 + term / c;
      c = std::abs(c) < kTiny ? kTiny : c;
      out *= c * d;
    }
    if (std::abs(c * d - 1) < 1e-13)
      break;
  }
  return out;
}

double incompleteBeta(double a, double b, double x) {
  if (x <= 0 || x >= 1)
    return x <= 0 ? 0 : 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * betaFraction(a, b, x) / a : 1 - front * betaFraction(b, a, 1 - x) / b;
}

} // namespace

/// Abramowitz and Stegun, 26.7.1.
double studentTwoSided(double t, double degreesOfFreedom) {
  if (degreesOfFreedom >= kNormalFrom)
    return std::erfc(std::abs(t) / std::sqrt(2.0));
  return incompleteBeta(degreesOfFreedom / 2, 0.5, degreesOfFreedom / (degreesOfFreedom + t * t));
}

double studentFactor(double degreesOfFreedom) {
  double low = 0, high = 1;
  while (high < 1e12 && studentTwoSided(high, degreesOfFreedom) > 0.05)
    high *= 2;
  for (unsigned i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (studentTwoSided(middle, degreesOfFreedom) > 0.05 ? low : high) = middle;
  }
  return (low + high) / 2;
}

} // namespace kperf::decoder
