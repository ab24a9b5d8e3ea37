/** How many examples a slow property test draws: PROPERTY_RUNS times as many as usual. */
export function propertyRuns(usual: number): number {
  return Math.ceil(usual * Number(process.env['PROPERTY_RUNS'] ?? 1));
}
