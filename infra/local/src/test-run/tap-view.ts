/** Shows one line for each test file, and everything about those that failed. */
export function createTapView(write: (text: string) => void = (text) => process.stdout.write(text)) {
  let partial = '';
  let block: string[] = [];

  function take(line: string) {
    if (line.startsWith('ok ')) write(`${line}\n`);
    if (line.startsWith('not ok ')) write(`${[...block, line].join('\n')}\n`);
    if (/^(not )?ok /.test(line)) block = [];
    else block.push(line);
  }

  return (chunk: Buffer) => {
    const lines = (partial + chunk.toString()).split('\n');
    partial = lines.pop() ?? '';
    lines.forEach(take);
  };
}
