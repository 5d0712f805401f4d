import { defineConfig } from 'drizzle-kit';

/** The tables alone, as the tests of this package use them. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/tables.ts',
  out: './test/migrations',
  casing: 'snake_case',
});
