import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parse } from 'es-module-lexer';

/** The output folder of each source folder. Both have the same depth, so that relative paths stay valid. */
const outputs = { src: 'dist', test: 'dist-test', acceptance: 'dist-acceptance' };
const sourceFile = /^(gateway|(?:packages|services|infra)\/[^/]+)\/(src|test|acceptance)\/(.+)\.ts$/;
/** What is started again and again: the processes of the system, commands, and the processes of some tests. */
const programFiles = [
  /^(gateway|services\/[^/]+|infra\/identity-provider)\/src\/((worker-)?main|migrate|operator)\.ts$/,
  /^infra\/(local\/src\/start|recovery\/src\/(backup|restore))\.ts$/,
  /^packages\/[^/]+\/test\/programs\/[^/]+\.ts$/,
];
const isProgram = (file) => programFiles.some((pattern) => pattern.test(file));
/** Those of their sources that read files beside their own. */
const localSource = /\/infra\/local\/src\/.+\.ts$/;

/** Returns the compiled file of a source, or the file itself if it is not compiled. Both are relative to the root. */
export function compiledPath(file) {
  const [, workspace, folder, name] = sourceFile.exec(file) ?? [];
  return workspace ? `${workspace}/${outputs[folder]}/${name}.js` : file;
}

/**
 * Compiles changed files without checking types: `<workspace>/src/*.ts` to `<workspace>/dist/*.js`, as in an image, and
 * `<workspace>/test/*.ts` to `<workspace>/dist-test/*.js`. Programs are bundled with all that they import.
 * @param {string} root the root of the repository
 * @returns {Promise<number>} the number of compiled files
 */
export async function compile(root) {
  const modifiedAt = (file) => statSync(resolve(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const compilerChangedAt = modifiedAt(fileURLToPath(import.meta.url));
  const sources = findFiles(root, Object.keys(outputs)).filter((file) => /(?<!\.d)\.ts$/.test(file));
  const compiled = new Set(sources.map(compiledPath));
  // Otherwise imports of deleted files would still work on this machine.
  for (const file of findFiles(root, Object.values(outputs)))
    if (file.endsWith('.js') && !compiled.has(file)) rmSync(join(root, file), { force: true });

  const isOlder = (time) => (file) => modifiedAt(compiledPath(file)) < Math.max(compilerChangedAt, time(file));
  const changed = sources.filter((file) => !isProgram(file)).filter(isOlder(modifiedAt));
  if (changed.length > 0) await compileFiles(root, changed);

  const bundled = ['node_modules/.modules.yaml', ...sources.filter((file) => file.includes('/src/'))];
  const bundledChangedAt = Math.max(...bundled.map(modifiedAt));
  // Those of tests also import files of their tests.
  const changedAt = (file) =>
    Math.max(
      bundledChangedAt,
      ...sources.filter((one) => testsOf(file) && one.startsWith(testsOf(file))).map(modifiedAt),
    );
  const programs = sources.filter(isProgram).filter(isOlder(changedAt));
  if (programs.length > 0) await bundle(root, programs);
  return changed.length + programs.length;
}

const testsOf = (file) => /^.+\/test\//.exec(file)?.[0];

/** The files in some folders of all workspaces. */
export function findFiles(root, names) {
  const exists = (folder) => existsSync(join(root, folder));
  const list = (folder, options) => readdirSync(join(root, folder), options).map((name) => `${folder}/${name}`);
  const workspaces = ['packages', 'services', 'infra'].filter(exists).flatMap((folder) => list(folder));
  const folders = ['gateway', ...workspaces].flatMap((workspace) => names.map((name) => `${workspace}/${name}`));
  return folders.filter(exists).flatMap((folder) => list(folder, { recursive: true }));
}

/** Blanks the types, so that lines stay as they are, and names the source in stack traces. */
async function compileFiles(root, files) {
  const { default: blankTypes } = await import('ts-blank-space');
  for (const file of files) {
    const source = resolve(root, file);
    const code = importCompiled(blankTypes(readFileSync(source, 'utf8')), file);
    writeOutput(join(root, compiledPath(file)), `${code}\n//# sourceURL=${pathToFileURL(source)}\n`);
  }
}

/** Replaces the relative paths in the imports of a file by those of the compiled files. */
function importCompiled(code, file) {
  let [rewritten, copied] = ['', 0];
  for (const { specifier, start, end, type } of parse(code, file)[0]) {
    if (!specifier?.startsWith('.')) continue;
    const path = relative(dirname(compiledPath(file)), compiledPath(join(dirname(file), specifier)));
    const compiled = path.startsWith('.') ? path : `./${path}`;
    // Only that of a dynamic import includes its quotes.
    rewritten += code.slice(copied, start) + (type === 'dynamic' ? JSON.stringify(compiled) : compiled);
    copied = end;
  }
  return rewritten + code.slice(copied);
}

/**
 * Bundles programs with their dependencies, because loading the thousand files of a service one by one takes two thirds of the
 * time of its start.
 */
async function bundle(root, programs) {
  const { build, stop } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: resolve(root),
    entryPoints: programs.map((file) => ({ in: file, out: compiledPath(file).replace(/\.js$/, '') })),
    bundle: true,
    // It reads files beside its own.
    external: ['@fastify/swagger-ui'],
    plugins: [
      {
        name: 'own-urls',
        setup: ({ onLoad }) => onLoad({ filter: localSource }, ({ path }) => withOwnUrl(root, path)),
      },
    ],
    // The sources of the other workspaces.
    conditions: ['lms-source'],
    // For dependencies that are CommonJS modules.
    banner: {
      js: `import { createRequire as forBundle } from 'node:module';\nconst require = forBundle(import.meta.url);`,
    },
    format: 'esm',
    platform: 'node',
    // Node.js keeps the text in memory, and half of it is comments and indentation.
    minifyWhitespace: true,
    legalComments: 'none',
    lineLimit: 160,
    outdir: '.',
    write: false,
    logLevel: 'silent',
  }).finally(stop);
  for (const { path, contents } of outputFiles) writeOutput(path, contents);
}

/** Lets a source find files as if it was not part of a bundle, whose folder is as deep as that of each workspace in infra. */
function withOwnUrl(root, path) {
  const url = JSON.stringify(`../../../${compiledPath(relative(root, path))}`);
  const contents = readFileSync(path, 'utf8').replaceAll('import.meta.url', `new URL(${url}, import.meta.url).href`);
  return { contents, loader: 'ts' };
}

/** Other processes may read or write the file at the same time. */
function writeOutput(file, contents) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, contents);
  renameSync(`${file}.${process.pid}`, file);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await compile(fileURLToPath(new URL('../..', import.meta.url)));
