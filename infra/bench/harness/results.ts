/** Prints a Markdown table: the first column is text, the others are numbers. */
export function printTable(header: readonly string[], rows: readonly (readonly (string | number)[])[]) {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const rule = line(header.map((_, at) => (at === 0 ? '---' : '---:')));
  console.log(['', line(header), rule, ...rows.map(line)].join('\n'));
}

/** Runs the ways in turns, so that other load on the machine affects all of them. The round 0 warms up and does not count. */
export async function inTurns<Way, Result>(
  ways: readonly Way[],
  rounds: number,
  run: (way: Way, round: number) => Promise<Result>,
): Promise<Result[][]> {
  const results = ways.map((): Result[] => []);
  for (let round = 0; round <= rounds; round += 1)
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

export const median = <Result>(results: readonly Result[], read: (result: Result) => number): number =>
  quantile(results.map(read), 0.5);

/** Each round's own ratio, then their median: rounds in which the machine was busy count for both sides. */
export const medianRatio = <Result>(
  ones: readonly Result[] = [],
  bases: readonly Result[] = [],
  read: (result: Result) => number,
): number =>
  quantile(
    ones.flatMap((one, round) => (bases[round] === undefined ? [] : read(one) / read(bases[round]))),
    0.5,
  );
