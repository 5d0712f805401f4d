import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The output folder of each source folder. Both have the same depth, so that relative paths stay valid. */
const outputs = { src: 'dist', test: 'dist-test', acceptance: 'dist-acceptance' };
const workspaceFolders = ['packages', 'services', 'infra'];

/**
 * Compiles changed files without checking types: `<workspace>/src/*.ts` to `<workspace>/dist/*.js`, as in an image, and
 * `<workspace>/test/*.ts` to `<workspace>/dist-test/*.js`.
 * @param {string} root the root of the repository
 * @returns {Promise<number>} the number of compiled files
 */
export async function compile(root) {
  const optionsFile = join(root, 'tsconfig.base.json');
  const newest = Math.max(...[optionsFile, fileURLToPath(import.meta.url)].map((file) => statSync(file).mtimeMs));
  const sources = workspaces(root).flatMap(sourcesOf);
  removeOrphans(sources);
  const changed = sources.filter(({ source, compiled }) => isOutdated(source, compiled, newest));
  if (changed.length === 0) return 0;

  const { default: ts } = await import('typescript');
  const { options } = ts.convertCompilerOptionsFromJson(
    ts.readConfigFile(optionsFile, (file) => readFileSync(file, 'utf8')).config.compilerOptions,
    root,
  );
  // Saves the lookup of the nearest package.json for each file.
  const compilerOptions = {
    ...options,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    inlineSourceMap: true,
  };
  for (const { source, compiled } of changed) {
    const { outputText } = ts.transpileModule(readFileSync(source, 'utf8'), {
      // The source map contains only the base name of the source.
      compilerOptions: { ...compilerOptions, sourceRoot: `${relative(dirname(compiled), dirname(source))}/` },
      fileName: source,
      transformers: { before: [importsToCompiled(ts, root, source, compiled)] },
    });
    mkdirSync(dirname(compiled), { recursive: true });
    // Other processes may read or write the file at the same time.
    const temporary = `${compiled}.${process.pid}`;
    writeFileSync(temporary, outputText);
    renameSync(temporary, compiled);
  }
  return changed.length;
}

function workspaces(root) {
  const nested = workspaceFolders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name)));
  return [join(root, 'gateway'), ...nested];
}

function sourcesOf(workspace) {
  return Object.entries(outputs)
    .filter(([folder]) => existsSync(join(workspace, folder)))
    .flatMap(([folder, output]) =>
      readdirSync(join(workspace, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
        .map((file) => ({
          source: join(workspace, folder, file),
          compiled: join(workspace, output, file.replace(/\.ts$/, '.js')),
          output: join(workspace, output),
        })),
    );
}

/** Removes compiled files without a source; otherwise imports of deleted files would still work on this machine. */
function removeOrphans(sources) {
  const expected = new Set(sources.map(({ compiled }) => compiled));
  const folders = new Set(sources.map(({ output }) => output));
  for (const folder of folders) {
    if (!existsSync(folder)) continue;
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const path = join(folder, file);
      if (file.endsWith('.js') && !expected.has(path)) rmSync(path, { force: true });
    }
  }
}

function isOutdated(source, compiled, newest) {
  const stats = statSync(compiled, { throwIfNoEntry: false });
  return !stats || stats.mtimeMs < newest || stats.mtimeMs < statSync(source).mtimeMs;
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
function importsToCompiled(ts, root, source, compiled) {
  const toCompiled = (specifier) => {
    const path = relative(dirname(compiled), compiledPath(root, resolve(dirname(source), specifier))).replaceAll(
      sep,
      '/',
    );
    return path.startsWith('.') ? path : `./${path}`;
  };
  return (context) => (file) => {
    const visit = (node) =>
      ts.isStringLiteral(node) && node.text.startsWith('.') && isSpecifier(ts, node)
        ? context.factory.createStringLiteral(toCompiled(node.text), true)
        : ts.visitEachChild(node, visit, context);
    return ts.visitNode(file, visit);
  };
}

function isSpecifier(ts, { parent }) {
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) return true;
  return ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await compile(fileURLToPath(new URL('../..', import.meta.url)));
