import type { Kind } from '../hierarchy/table.ts';

/** The elements of a Common Cartridge 1.3 and what our own cartridges store in its metadata (IEEE LOM). */
export const manifestPath = 'imsmanifest.xml';

export const namespaces = {
  cartridge: 'http://www.imsglobal.org/xsd/imsccv1p3/imscp_v1p1',
  metadata: 'http://ltsc.ieee.org/xsd/imsccv1p3/LOM/manifest',
};
export const schemaLocations = {
  cartridge: 'http://www.imsglobal.org/profile/cc/ccv1p3/ccv1p3_imscp_v1p2_v1p0.xsd',
  metadata: 'http://www.imsglobal.org/profile/cc/ccv1p3/LOM/ccv1p3_lommanifest_v1p0.xsd',
};

/** The source of our terms in LOM vocabularies. */
export const vocabulary = 'lms';
/** The catalogs of LOM identifiers; other products ignore those that they do not know. */
export const catalogs = {
  externalId: 'lms-external-id',
  partial: 'lms-partial',
  image: 'lms-image',
  video: 'lms-video',
  captions: 'lms-captions',
  language: 'lms-language',
  captionKind: 'lms-caption-kind',
  captionDefault: 'lms-caption-default',
  document: 'lms-document',
} as const;
export type Catalog = (typeof catalogs)[keyof typeof catalogs];

/** The depth of each kind below the root item. */
export const kindsByDepth: readonly Kind[] = ['level', 'grade', 'subject', 'topic'];
