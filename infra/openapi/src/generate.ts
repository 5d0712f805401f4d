import { askService, type ServiceDocument } from './ask-service.ts';
import { describeGateway } from './describe-gateway.ts';
import { merge } from './merge.ts';

const services = ['identity', 'content', 'media', 'enrollment'] as const;

/** One document of the whole interface, as text: the services tell theirs, the gateway's own routes are added. */
export async function generate(): Promise<string> {
  const documents: ServiceDocument[] = await Promise.all(services.map(askService));
  return `${JSON.stringify(merge([...documents, describeGateway()]), null, 2)}\n`;
}
