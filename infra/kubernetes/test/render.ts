import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { parseAllDocuments } from 'yaml';

const Resource = Type.Object({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: Type.Object({ name: Type.String(), namespace: Type.Optional(Type.String()) }),
});
export type Resource = Static<typeof Resource>;

// The subset of Kustomize that the manifests use. Everything else is rejected, because it would be rendered differently.
const Kustomization = Type.Object(
  {
    apiVersion: Type.Literal('kustomize.config.k8s.io/v1beta1'),
    kind: Type.Literal('Kustomization'),
    namespace: Type.Optional(Type.String()),
    resources: Type.Array(Type.String()),
    patches: Type.Optional(Type.Array(Type.Object({ path: Type.String() }, { additionalProperties: false }))),
    images: Type.Optional(
      Type.Array(
        Type.Object(
          { name: Type.String(), newName: Type.String(), newTag: Type.String() },
          { additionalProperties: false },
        ),
      ),
    ),
  },
  { additionalProperties: false },
);

const clusterWide = ['Namespace'];

function readYaml(file: string): unknown[] {
  const documents = parseAllDocuments(readFileSync(file, 'utf8'), { uniqueKeys: true });
  return documents.map((document) => {
    for (const error of document.errors) throw new Error(`${file}: ${error.message}`);
    return document.toJS();
  });
}

/** Renders a kustomization. @throws if a file is missing, a name is duplicate or a patch has no target */
export function render(folder: string): Resource[] {
  const file = join(folder, 'kustomization.yaml');
  const { namespace, resources, patches = [], images = [] } = Value.Parse(Kustomization, readYaml(file)[0]);
  let rendered = resources.flatMap((name) => {
    const path = join(folder, name);
    if (!existsSync(path)) throw new Error(`${file}: ${name} does not exist`);
    if (existsSync(join(path, 'kustomization.yaml'))) return render(path);
    return readYaml(path).map((document) => parseResource(document, path));
  });
  for (const { path } of patches)
    for (const patch of readYaml(join(folder, path))) rendered = applyPatch(rendered, parseResource(patch, path));
  const names = rendered.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  const duplicates = names.filter((name, index) => names.indexOf(name) !== index);
  if (duplicates.length > 0) throw new Error(`${file}: duplicate ${duplicates}`);
  return rendered.map((resource) => {
    const withImages = parseResource(
      replaceImages(resource, new Map(images.map(({ name, newName, newTag }) => [name, `${newName}:${newTag}`]))),
      file,
    );
    if (namespace === undefined || clusterWide.includes(withImages.kind)) return withImages;
    return { ...withImages, metadata: { ...withImages.metadata, namespace } };
  });
}

function parseResource(document: unknown, file: string): Resource {
  if (!Value.Check(Resource, document)) throw new Error(`${dirname(file)}: a document is not a resource`);
  return document;
}

function applyPatch(resources: Resource[], patch: Resource): Resource[] {
  const isTarget = ({ kind, metadata }: Resource) => kind === patch.kind && metadata.name === patch.metadata.name;
  if (!resources.some(isTarget)) throw new Error(`patch without a target: ${patch.kind} ${patch.metadata.name}`);
  return resources.map((resource) => (isTarget(resource) ? parseResource(merge(resource, patch), 'patch') : resource));
}

function merge(base: unknown, patch: unknown): unknown {
  if (!isRecord(base) || !isRecord(patch)) return patch;
  const merged = Object.entries(patch).map(([name, value]) => [name, merge(base[name], value)]);
  return { ...base, ...Object.fromEntries(merged) };
}

function replaceImages(value: unknown, images: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceImages(item, images));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name === 'image' && typeof item === 'string' ? (images.get(item) ?? item) : replaceImages(item, images),
    ]),
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
