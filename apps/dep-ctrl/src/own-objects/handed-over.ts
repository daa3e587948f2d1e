// A configuration of an earlier installation, after `bind` gave it to this one: whatever it guards is refused until rules about all of that are back.
// Its addresses say so, and go with the first configuration that a controller writes.
import { elements, record, type KubeObject } from '@dep-ctrl/kcp-names';

/** How an address ends at which everything is refused. */
export const HANDED_OVER = 'handed-over';

const ENDING = `/${HANDED_OVER}`;

/** The configuration with addresses at which everything is refused. Pure. */
export function refusingAll(configuration: KubeObject): KubeObject {
  if (isRefusingAll(configuration)) return configuration;
  const webhooks = elements(configuration['webhooks']).map((entry) => {
    const { clientConfig, ...others } = record(entry) ?? {};
    const url = record(clientConfig)?.['url'];
    return { ...others, clientConfig: { ...record(clientConfig), ...(typeof url === 'string' && { url: `${url}${ENDING}` }) } };
  });
  return { ...configuration, webhooks };
}

/** Whether everything is refused that a configuration guards. */
export function isRefusingAll({ webhooks }: KubeObject): boolean {
  return elements(webhooks).some((entry) => {
    const url = record(record(entry)?.['clientConfig'])?.['url'];
    return typeof url === 'string' && url.endsWith(ENDING);
  });
}
