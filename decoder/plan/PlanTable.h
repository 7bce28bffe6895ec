// A plan as a table: a row for each region of each kernel, and one for each loop to be timed besides.
#ifndef KPERF_DECODER_PLAN_TABLE_H
#define KPERF_DECODER_PLAN_TABLE_H

#include "decoder/plan/Plan.h"
#include "decoder/table/Table.h"

namespace kperf::decoder {

Table planTable(const Profile &profile, const Plan &plan);

} // namespace kperf::decoder

#endif
