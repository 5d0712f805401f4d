#!/usr/bin/env node
import { createCommandLine, run } from './command-line.ts';

await run(createCommandLine('lms'));
