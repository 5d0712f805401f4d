/** Runs the ways in turns, so that other load on the machine affects all of them. The rounds before the first do not count. */
export async function inTurns<Way, Result>(
  ways: readonly Way[],
  rounds: number,
  run: (way: Way, round: number) => Promise<Result>,
  { warmUps = 1 } = {},
): Promise<Result[][]> {
  const results = ways.map((): Result[] => []);
  for (let round = 1 - warmUps; round <= rounds; round += 1)
    for (const [at, way] of ways.entries()) {
      const result = await run(way, round);
      if (round > 0) results[at]?.push(result);
    }
  return results;
}

/** The value below which a share of the samples lies. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median<Result>(results: readonly Result[], read: (result: Result) => number): number {
  return quantile(results.map(read), 0.5);
}

/** Each round's own ratio, then their median: rounds in which the machine was busy count for both sides. */
export function medianRatio<Result>(
  ones: readonly Result[],
  bases: readonly Result[],
  read: (result: Result) => number,
): number {
  return quantile(
    ones.flatMap((one, round) => (bases[round] === undefined ? [] : read(one) / read(bases[round]))),
    0.5,
  );
}
