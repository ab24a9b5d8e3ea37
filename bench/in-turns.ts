/**
 * Runs two works in pairs. The order changes with every pair, so that slow changes of the machine
 * cancel out.
 */
export async function inTurns<Result>(
  pairs: number,
  one: () => Promise<Result>,
  other: () => Promise<Result>,
): Promise<(readonly [Result, Result])[]> {
  const runs: [Result, Result][] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    if (pair % 2 === 0) {
      const first = await one();
      runs.push([first, await other()]);
    } else {
      const first = await other();
      runs.push([await one(), first]);
    }
  }
  return runs;
}
