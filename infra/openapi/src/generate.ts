import { askServices } from './ask-services.ts';
import { describeGateway } from './describe-gateway.ts';
import { merge } from './merge.ts';

const services = ['identity', 'content', 'media', 'enrollment'] as const;

/** The OpenAPI document of the whole API as text, merged from the documents of the services and the gateway's own routes. */
export async function generate(): Promise<string> {
  const documents = await askServices(services);
  return `${JSON.stringify(merge([...documents, describeGateway()]), null, 2)}\n`;
}
