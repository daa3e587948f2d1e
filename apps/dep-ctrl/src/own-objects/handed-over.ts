// A configuration of an earlier installation, after `bind` gave it to this one: everything that it guards is refused until a person says that the rules
// are back. The address of the entry that refuses says so.
import { elements, record, type KubeObject } from '@dep-ctrl/kcp-names';

/** How an address ends at which everything is refused. */
export const HANDED_OVER = 'handed-over';

const ENDING = `/${HANDED_OVER}`;

/** The configuration with an address at which everything is refused; entries that let pass what they cannot ask about stay. Pure. */
export function refusingAll(configuration: KubeObject): KubeObject {
  if (isRefusingAll(configuration)) return configuration;
  return withUrls(configuration, (url, entry) => (entry['failurePolicy'] === 'Ignore' ? url : `${url}${ENDING}`));
}

/** The configuration with the addresses that it had before. Pure. */
export function askingAgain(configuration: KubeObject): KubeObject {
  return withUrls(configuration, (url) => (url.endsWith(ENDING) ? url.slice(0, -ENDING.length) : url));
}

/** Whether everything is refused that a configuration guards. */
export function isRefusingAll({ webhooks }: KubeObject): boolean {
  return elements(webhooks).some((entry) => {
    const url = record(record(entry)?.['clientConfig'])?.['url'];
    return typeof url === 'string' && url.endsWith(ENDING);
  });
}

type Entry = Readonly<Record<string, unknown>>;

function withUrls(configuration: KubeObject, change: (url: string, entry: Entry) => string): KubeObject {
  const webhooks = elements(configuration['webhooks']).map((each) => {
    const entry = record(each) ?? {};
    const clientConfig = record(entry['clientConfig']) ?? {};
    const { url } = clientConfig;
    return typeof url === 'string' ? { ...entry, clientConfig: { ...clientConfig, url: change(url, entry) } } : each;
  });
  return { ...configuration, webhooks };
}
