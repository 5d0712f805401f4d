import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The output folder of each source folder. Both have the same depth, so that relative paths stay valid. */
const outputs = { src: 'dist', test: 'dist-test', acceptance: 'dist-acceptance' };
const workspaceFolders = ['packages', 'services', 'infra'];
/** What the processes of the system start with. */
const programs = /^(gateway|services\/[^/]+|infra\/identity-provider)\/src\/(worker-)?main\.ts$/;

/**
 * Compiles changed files without checking types: `<workspace>/src/*.ts` to `<workspace>/dist/*.js`, as in an image, and
 * `<workspace>/test/*.ts` to `<workspace>/dist-test/*.js`. Programs are bundled with all that they import.
 * @param {string} root the root of the repository
 * @returns {Promise<number>} the number of compiled files
 */
export async function compile(root) {
  const newest = statSync(fileURLToPath(import.meta.url)).mtimeMs;
  const sources = sourcesOf(root);
  removeOrphans(root, sources);
  const isProgram = ({ source }) => programs.test(relative(root, source).replaceAll(sep, '/'));
  const changed = sources.filter(
    (file) => !isProgram(file) && modifiedAt(file.compiled) < Math.max(newest, modifiedAt(file.source)),
  );
  if (changed.length > 0) await compileFiles(root, changed);

  const dependencies = join(root, 'node_modules/.modules.yaml');
  const bundled = sources.filter(({ source }) => source.includes(`${sep}src${sep}`)).map(({ source }) => source);
  const changedAt = Math.max(newest, ...[dependencies, ...bundled].map(modifiedAt));
  const outdated = sources.filter((file) => isProgram(file) && modifiedAt(file.compiled) < changedAt);
  if (outdated.length > 0) await bundle(root, outdated);
  return changed.length + outdated.length;
}

/** Blanks the types, so that lines stay as they are, and names the source in stack traces. */
async function compileFiles(root, changed) {
  const [{ default: blankTypes }, { parse }] = await Promise.all([import('ts-blank-space'), import('es-module-lexer')]);
  for (const { source, compiled } of changed) {
    const code = blankTypes(readFileSync(source, 'utf8'));
    const rewritten = importCompiled(code, parse(code, source)[0], root, source, compiled);
    writeOutput(compiled, `${rewritten}\n//# sourceURL=${pathToFileURL(source)}\n`);
  }
}

/**
 * Bundles programs with their dependencies, because loading the thousand files of a service one by one takes two thirds of the
 * time of its start.
 */
async function bundle(root, files) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: files.map(({ source, compiled }) => ({
      in: source,
      out: relative(root, compiled).replace(/\.js$/, ''),
    })),
    bundle: true,
    // It reads files beside its own.
    external: ['@fastify/swagger-ui'],
    // The sources of the other workspaces.
    conditions: ['lms-source'],
    // For dependencies that are CommonJS modules.
    banner: {
      js: `import { createRequire as forBundle } from 'node:module';\nconst require = forBundle(import.meta.url);`,
    },
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    // Node.js keeps the text in memory: twice the size with any other character, and half of it is comments and indentation.
    charset: 'ascii',
    minifyWhitespace: true,
    legalComments: 'none',
    lineLimit: 160,
    outdir: root,
    write: false,
    logLevel: 'silent',
  });
  for (const { path, contents } of outputFiles) writeOutput(path, contents);
}

/** Other processes may read or write the file at the same time. */
function writeOutput(file, contents) {
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, contents);
  renameSync(temporary, file);
}

const modifiedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function workspaces(root) {
  const nested = workspaceFolders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name)));
  return [join(root, 'gateway'), ...nested];
}

/** The files in some folders of all workspaces. */
const filesOf = (root, folders) =>
  workspaces(root)
    .flatMap((workspace) => folders.map((folder) => join(workspace, folder)))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)));

const sourcesOf = (root) =>
  filesOf(root, Object.keys(outputs))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .map((source) => ({ source, compiled: compiledPath(root, source) }));

/** Removes compiled files without a source; otherwise imports of deleted files would still work on this machine. */
function removeOrphans(root, sources) {
  const expected = new Set(sources.map(({ compiled }) => compiled));
  for (const file of filesOf(root, Object.values(outputs)))
    if (file.endsWith('.js') && !expected.has(file)) rmSync(file, { force: true });
}

/** Returns the compiled file of a source, or the file itself if it is not compiled. */
export function compiledPath(root, file) {
  const parts = relative(root, file).split(sep);
  const depth = parts[0] === 'gateway' ? 1 : 2;
  const output = file.endsWith('.ts') ? outputs[parts[depth]] : undefined;
  if (!output) return file;
  return join(root, ...parts.slice(0, depth), output, ...parts.slice(depth + 1)).replace(/\.ts$/, '.js');
}

/** Replaces the relative paths in imports by those of the compiled files. */
function importCompiled(code, imports, root, source, compiled) {
  let [rewritten, copied] = ['', 0];
  for (const { specifier: path, start, end, type } of imports) {
    if (!path?.startsWith('.')) continue;
    const target = relative(dirname(compiled), compiledPath(root, resolve(dirname(source), path))).replaceAll(sep, '/');
    const specifier = target.startsWith('.') ? target : `./${target}`;
    // Only that of a dynamic import includes its quotes.
    rewritten += code.slice(copied, start) + (type === 'dynamic' ? JSON.stringify(specifier) : specifier);
    copied = end;
  }
  return rewritten + code.slice(copied);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await compile(fileURLToPath(new URL('../..', import.meta.url)));
