import { readStack } from './demo/read-stack.ts';
import { runDemo } from './demo/run-demo.ts';

/** `npm run demo`: runs the main use cases against the gateway and prints each request. Exits with 1 if a response is not as expected. */
try {
  const stack = await readStack(process.env);
  await runDemo(stack);
} catch (error) {
  console.error(`\n✗ ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
