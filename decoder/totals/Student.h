// Student's distribution: what the mean of few values says of the mean of all.
#ifndef KPERF_DECODER_STUDENT_H
#define KPERF_DECODER_STUDENT_H

namespace kperf::decoder {

/// The chance that Student's t is farther from 0 than `t`, either side. `degreesOfFreedom` above 0, whole or not; infinity
/// is the normal distribution.
double studentTwoSided(double t, double degreesOfFreedom);

/// The factor of a 95 % confidence interval: Student's distribution at 0.975.
double studentFactor(double degreesOfFreedom);

} // namespace kperf::decoder

#endif
