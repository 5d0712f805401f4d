import { readStack } from './demo/read-stack.ts';
import { tellStory } from './demo/story.ts';

/** `npm run demo`: the main job as a story through the running gateway. The exit code tells whether it went as told. */
try {
  const stack = await readStack(process.env);
  await tellStory(stack);
} catch (error) {
  console.error(`\n✗ ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
