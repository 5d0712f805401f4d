import { maxLengths } from '@lms/contracts/text';
import { cut } from '@lms/service/normalize-text';
import type { Manifest, ManifestItem } from './read-manifest.ts';
import { cleanTitle } from './titles.ts';

/** A place in the hierarchy: an item of the cartridge, or one that only fills a missing level. */
export interface Place {
  title: string;
  item: ManifestItem | undefined;
  children: Place[];
}

const upperLevels = 3;
// A name is longer before its white space is removed, and a topic without a text has its title as content.
const maxTitle = maxLengths.description;

/**
 * Arranges the items of a cartridge as levels, grades, subjects and topics.
 *
 * The outermost three layers of folders become levels, grades and subjects; items that refer to a resource become topics.
 * Missing upper levels get the title of the cartridge, missing lower ones that of their folder, and folders that are
 * nested more deeply become part of the names of their topics. Items without resource and children are reported.
 */
export function arrangeItems(manifest: Manifest, reportEmpty: (item: ManifestItem) => void): Place[] {
  if (manifest.hasKinds) return manifest.items.map(keep);
  const root: Place = { title: cut(manifest.title, maxTitle), item: undefined, children: [] };
  const fillers = new Map<Place, Place>();

  const add = (parent: Place, title: string, item?: ManifestItem) => {
    const place = { title, item, children: [] };
    parent.children.push(place);
    return place;
  };
  /** The child of a place that has the same title and belongs to no item. */
  const fill = (place: Place) => {
    const filler = fillers.get(place) ?? add(place, place.title);
    fillers.set(place, filler);
    return filler;
  };

  const addTopic = (item: ManifestItem, folder: Place, depth: number, title: string) => {
    let place = folder;
    for (let at = depth; at < upperLevels; at += 1) place = fill(place);
    add(place, title, item);
  };
  const addItems = (items: ManifestItem[], folder: Place, depth: number, prefix: string) => {
    for (const item of items) {
      const title = cut(item.title, maxTitle);
      const isFolder = item.children.length > 0;
      const isPlace = isFolder && depth < upperLevels;
      const [place, at] = isPlace ? [add(folder, title, item), depth + 1] : [folder, depth];
      if (item.resource !== undefined) addTopic(item, place, at, prefix + title);
      else if (!isFolder) reportEmpty(item);
      if (isFolder) addItems(item.children, place, at, isPlace ? prefix : prefixOf(prefix + title));
    }
  };

  if (manifest.items.length === 0) return [];
  const missing = upperLevels - Math.min(upperLevels, depthOf(manifest.items));
  let start = root;
  for (let depth = 0; depth < missing; depth += 1) start = fill(start);
  addItems(manifest.items, start, missing, '');
  return root.children;
}

// It is repeated in every topic of the folder.
const prefixOf = (title: string) => `${cut(cleanTitle(title), maxLengths.name)} / `;

const keep = (item: ManifestItem): Place => ({ title: item.title, item, children: item.children.map(keep) });

const depthOf = (items: ManifestItem[]): number =>
  items.reduce((depth, { children }) => (children.length > 0 ? Math.max(depth, 1 + depthOf(children)) : depth), 0);
