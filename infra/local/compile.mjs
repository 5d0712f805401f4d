import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the compiled files of a workspace's folders are: as deep as their sources, so that paths lead to the same files. */
const outputs = { src: 'dist', test: 'dist-test', acceptance: 'dist-acceptance' };
const places = ['packages', 'services', 'infra'];

/**
 * Removes the types from what has changed since the last time: `<workspace>/src/*.ts` becomes `<workspace>/dist/*.js`, as
 * in an image, and `<workspace>/test/*.ts` becomes `<workspace>/dist-test/*.js`. Types are checked elsewhere.
 * @param {string} root the repository
 * @returns {Promise<number>} how many files were compiled
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
  // Each file by itself: whether it imports ECMAScript modules is not looked up again for each of them.
  const compilerOptions = {
    ...options,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    inlineSourceMap: true,
  };
  for (const { source, compiled } of changed) {
    const { outputText } = ts.transpileModule(readFileSync(source, 'utf8'), {
      // The map names the source by its base name only.
      compilerOptions: { ...compilerOptions, sourceRoot: `${relative(dirname(compiled), dirname(source))}/` },
      fileName: source,
      transformers: { before: [importsToCompiled(ts, root, source, compiled)] },
    });
    mkdirSync(dirname(compiled), { recursive: true });
    // Another start may be reading, or doing the same.
    const draft = `${compiled}.${process.pid}`;
    writeFileSync(draft, outputText);
    renameSync(draft, compiled);
  }
  return changed.length;
}

function workspaces(root) {
  const nested = places
    .filter((place) => existsSync(join(root, place)))
    .flatMap((place) => readdirSync(join(root, place)).map((name) => join(root, place, name)));
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

/** A file without a source would go on being imported here, and nowhere else. */
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
  const made = statSync(compiled, { throwIfNoEntry: false });
  return !made || made.mtimeMs < newest || made.mtimeMs < statSync(source).mtimeMs;
}

/** The compiled file of a source, or the file itself where nothing is compiled. */
export function compiledPath(root, file) {
  const parts = relative(root, file).split(sep);
  const depth = parts[0] === 'gateway' ? 1 : 2;
  const output = file.endsWith('.ts') ? outputs[parts[depth]] : undefined;
  if (!output) return file;
  return join(root, ...parts.slice(0, depth), output, ...parts.slice(depth + 1)).replace(/\.ts$/, '.js');
}

/** Leads imports to the compiled files, also in other folders. */
function importsToCompiled(ts, root, source, compiled) {
  const moved = (specifier) => {
    const path = relative(dirname(compiled), compiledPath(root, resolve(dirname(source), specifier))).replaceAll(
      sep,
      '/',
    );
    return path.startsWith('.') ? path : `./${path}`;
  };
  return (context) => (file) => {
    const visit = (node) =>
      ts.isStringLiteral(node) && node.text.startsWith('.') && isSpecifier(ts, node)
        ? context.factory.createStringLiteral(moved(node.text), true)
        : ts.visitEachChild(node, visit, context);
    return ts.visitNode(file, visit);
  };
}

function isSpecifier(ts, { parent }) {
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) return true;
  return ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await compile(fileURLToPath(new URL('../..', import.meta.url)));
