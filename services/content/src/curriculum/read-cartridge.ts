import { maxLengths } from '@lms/contracts/text';
import { cut } from '@lms/service/normalize-text';
import type { Kind } from '../hierarchy/table.ts';
import { arrangeItems, type Place } from './arrange-items.ts';
import { kindsByDepth, manifestPath } from './cartridge-format.ts';
import { trackUsage } from './cartridge-usage.ts';
import type { CartridgeItem, Issue } from './items.ts';
import { baseName } from './paths.ts';
import { type Manifest, type ManifestItem, readManifest } from './read-manifest.ts';
import { type ArchiveFiles, type Material, maxLinks, readResource, unsupportedKind } from './read-resource.ts';
import { cleanTitle } from './titles.ts';

type Report = (issue: Issue) => void;
type TopicFields = Pick<CartridgeItem['fields'], 'isActive' | 'content' | 'video' | 'documents'>;

const maxManifestBytes = 32 * 1024 * 1024;
// Cartridges of other products rarely say for whom they are.
const assumedLevel = 'secondary';

/**
 * Reads a Common Cartridge 1.0 to 1.3 as items, each after its parent; the page of a topic is read when it is reached.
 * What has no place in a curriculum is reported as a warning. If there is no usable
 * manifest, an error is reported and there are no items.
 */
export async function* readCartridge(archive: ArchiveFiles, report: Report): AsyncGenerator<CartridgeItem> {
  const manifest = await openManifest(archive, report);
  if (!manifest) return;
  const warn = (code: string, message: string, line?: number) =>
    report({ severity: 'warning', code, message, ...(line !== undefined && { line }) });
  const usage = trackUsage(manifest.resources);
  const nameItems = createNaming(warn);
  const about = cut(manifest.description?.trim() ?? '', maxLengths.description);
  let saidLevel = false;

  const places = arrangeItems(manifest, ({ title, line }) =>
    warn('EMPTY_ITEM', `"${short(title)}" has neither a resource nor items below it`, line),
  );
  yield* readPlaces(places, 0, false);
  for (const { code, message, line } of usage.unused(archive)) warn(code, message, line);

  /** @param isComplete whether these are all siblings, so that their order says their positions */
  async function* readPlaces(siblings: Place[], depth: number, isComplete: boolean): AsyncGenerator<CartridgeItem> {
    const kind = kindsByDepth[depth];
    const nameItem = nameItems();
    let position = 0;
    for (const { title, item, children } of siblings) {
      if (!kind) return;
      const topic = kind === 'topic' ? await readTopic(item, title) : {};
      if (!topic) continue;
      const { externalId, isActive, imageUrl, partial } = item?.metadata ?? {};
      // Our own names are valid, and the same as the existing items have.
      const name = manifest?.hasKinds ? title : nameItem(title, item?.line);
      const level = kind === 'grade' ? levelOf(item) : undefined;
      const found: CartridgeItem = {
        kind,
        fields: {
          ...{ name, externalId, isActive, partial, level, description: descriptionOf(kind, item) },
          ...(isComplete && { position }),
          ...(kind !== 'topic' && { imageUrl }),
          ...topic,
        },
        defaults: {
          description: (kind === 'level' && about) || name,
          ...(kind === 'grade' && { level: assumedLevel }),
          ...(kind === 'topic' && { content: cut(title, maxLengths.content) || 'Untitled' }),
        },
      };
      // What only fills a missing level is not needed without children.
      let isNeeded = item !== undefined;
      if (isNeeded) yield found;
      for await (const child of readPlaces(children, depth + 1, !partial)) {
        if (!isNeeded) yield found;
        isNeeded = true;
        yield child;
      }
      if (isNeeded) position += 1;
    }
  }

  /** A level that only fills a missing one stands for the cartridge. */
  function descriptionOf(kind: Kind, item: ManifestItem | undefined) {
    const text = item || kind !== 'level' ? item?.metadata.description : manifest?.description;
    // Only grades may have none.
    return text?.trim() || (manifest?.hasKinds && kind === 'grade') ? text : undefined;
  }

  function levelOf(item: ManifestItem | undefined) {
    const level = item?.metadata.level ?? manifest?.level;
    if (!level && !saidLevel) {
      warn('ASSUMED_LEVEL', `The cartridge does not say for which level it is; "${assumedLevel}" is assumed`);
      saidLevel = true;
    }
    return level;
  }

  async function readTopic(item: ManifestItem | undefined, title: string): Promise<TopicFields | undefined> {
    const material = manifest && item && (await readMaterial(manifest, item, title));
    if (!material) return undefined;
    const { metadata, line } = item;
    const { video, documents } = material;
    usage.addFiles([...(video === undefined ? [] : [video]), ...documents]);
    usage.addFiles(metadata.video?.captions?.map(({ file }) => file) ?? []);
    const content = material.content.trim() === '' ? undefined : cut(material.content, maxLengths.content);
    if (content !== undefined && content.length < material.content.length)
      warn(
        'TRUNCATED',
        `The text of "${short(title)}" is longer than ${maxLengths.content} characters and was cut`,
        line,
      );
    if (manifest.hasKinds) return { content, video: metadata.video, documents: metadata.documents };
    return {
      content,
      ...(material.isActive === false && { isActive: false }),
      ...(video !== undefined && { video: { file: video } }),
      ...(documents.length > 0 && {
        documents: documents.map((file) => ({ file, name: short(baseName(file)), description: '' })),
      }),
    };
  }

  async function readMaterial(
    manifest: Manifest,
    item: ManifestItem,
    title: string,
  ): Promise<(Material & { isActive?: false }) | undefined> {
    const { resources, variants } = manifest;
    const { line } = item;
    const resource = resources.get(item.resource ?? '');
    if (!resource) {
      warn('MISSING_RESOURCE', `"${short(title)}" refers to a resource that the manifest does not contain`, line);
      return undefined;
    }
    const variant = unsupportedKind(resource) && variants.get(resource.identifier);
    usage.addResource(resource);
    if (variant) usage.addResource(variant);
    const material = await readResource(variant || resource, manifest, archive);
    if ('code' in material) {
      warn(material.code, `"${short(title)}" was not taken: ${material.message}`, line);
      return undefined;
    }
    if (variant || /^associatedcontent/.test(resource.type))
      warn('TEXT_ONLY', `Only the text of "${short(title)}" (${resource.type}) was taken`, line);
    if (material.hasMoreLinks)
      warn('TOO_MANY_LINKS', `Only the first ${maxLinks} links of "${short(title)}" were followed`, line);
    if (resource.isForLearners) return material;
    warn('NOT_FOR_LEARNERS', `"${short(title)}" is for teachers, so the topic is inactive`, line);
    return { ...material, isActive: false };
  }
}

async function openManifest({ sizes, open }: ArchiveFiles, report: Report): Promise<Manifest | undefined> {
  const refuse = (message: string) => report({ severity: 'error', code: 'NOT_A_CARTRIDGE', message });
  const size = sizes.get(manifestPath);
  if (size === undefined) {
    refuse(`The archive has no ${manifestPath}`);
    return undefined;
  }
  if (size > maxManifestBytes) {
    refuse(`${manifestPath} is larger than ${maxManifestBytes} bytes`);
    return undefined;
  }
  return readManifest(await open(manifestPath), report);
}

const short = (text: string) => cut(text, maxLengths.name).trim();

/** Creates functions that give siblings valid names, each once. */
const createNaming = (warn: (code: string, message: string, line?: number) => void) => () => {
  const taken = new Set<string>();
  // The last number of each name, so that many equal titles do not take quadratic time.
  const numbers = new Map<string, number>();
  return (title: string, line: number | undefined): string => {
    const clean = cleanTitle(title) || 'Untitled';
    const wanted = short(clean);
    if (wanted !== clean) warn('TRUNCATED', `The name "${wanted}" was cut`, line);
    let name = wanted;
    let number = numbers.get(wanted) ?? 1;
    while (taken.has(name)) {
      number += 1;
      name = `${cut(clean, maxLengths.name - 10).trim()} (${number})`;
    }
    if (name !== wanted) warn('RENAMED', `A second "${wanted}" in the same place is named "${name}"`, line);
    numbers.set(wanted, number);
    taken.add(name);
    return name;
  };
};
