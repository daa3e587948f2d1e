// The flags of the roles, and the checks of their combinations. Pure.
import { hostOf } from '@dep-ctrl/admission-server';
import { notParsed, parsed, type Parsed } from '@dep-ctrl/kcp-names';
import {
  type ListenAddress,
  optional,
  parseBaseHost,
  parseDuration,
  parseListenAddress,
  parsePort,
  parseText,
  required,
  toggle,
  type ValuesOf,
  withDefault,
} from '@dep-ctrl/command-settings';
import { connectionSettings, logSettings } from '../command-line/common-settings.js';
import { parseWebhookUrl } from '../command-line/parse-own-values.js';

const webhookUrl = {
  flag: '--webhook-url',
  value: 'URL',
  about: 'where every shard of kcp reaches the webhook: https://host:port, with or without /validate',
  parse: parseWebhookUrl,
};
const tlsCertDir = {
  flag: '--tls-cert-dir',
  value: 'DIR',
  about: 'folder of tls.crt and tls.key; both are read again when they change',
  parse: parseText,
};

/** Flags of every role. */
export const processSettings = {
  ...connectionSettings,
  exportName: withDefault(
    { flag: '--api-export-name', value: 'NAME', about: 'the APIExport in the dep-ctrl workspace', parse: parseText },
    'dependencies.opendefense.cloud',
  ),
  kcpBaseHost: optional({
    flag: '--kcp-base-host',
    value: 'URL',
    about: 'where all workspaces of kcp are reached; derived from the kubeconfig',
    parse: parseBaseHost,
  }),
  urlTokenFile: optional({
    flag: '--url-token-file',
    value: 'FILE',
    about:
      'file with the secrets behind the webhook URLs, one a line: the first makes the installed URLs, all are accepted; read again when it changes; without it "all" keeps them in the Secret default/dep-ctrl-url-token',
    parse: parseText,
  }),
  healthAddress: withDefault(
    { flag: '--health-probe-bind-address', value: 'ADDRESS', about: 'serves healthz and readyz[?verbose]', parse: parseListenAddress },
    ':8081',
  ),
  metricsAddress: withDefault(
    { flag: '--metrics-bind-address', value: 'ADDRESS', about: 'serves metrics', parse: parseListenAddress },
    ':8080',
  ),
  ...logSettings,
};

const caBundlePath = optional({
  flag: '--webhook-ca-bundle-path',
  value: 'FILE',
  about:
    'PEM file with the CA of the certificate of the webhook; needed unless that is a public CA; read again when it changes; a CA that another one replaces stays trusted for 10 minutes, counted again after a restart; a CA that is only taken out is not',
  parse: parseText,
});
const leaderElect = toggle(
  '--leader-elect',
  'let one of several replicas lead; with --leader-elect=false there may be no other controller, and it leads at once',
  'on',
);
const workspaceType = withDefault(
  {
    flag: '--workspace-type',
    value: 'NAME',
    about:
      'WorkspaceType in the dep-ctrl workspace: its workspaces are torn down in order, dependents first; it may be made later; empty: off',
    parse: parseTypeName,
  },
  'dependency-ordered',
);
const teardownTimeout = withDefault(
  {
    flag: '--teardown-timeout',
    value: 'DURATION',
    about: 'how long a dying workspace is held for its order, counted from its deletion; then it is left to kcp',
    parse: parseDuration,
  },
  '10m',
);
const webhookPort = withDefault({ flag: '--webhook-port', value: 'PORT', about: 'HTTPS port of the webhook', parse: parsePort }, '9443');
const maxRuleAge = withDefault(
  {
    flag: '--max-rule-age',
    value: 'DURATION',
    about: 'if the watch of the rules gave no sign of life for longer than this, the webhook reads the rules again before it answers',
    parse: parseDuration,
  },
  '30s',
);

/** Flags of `controller`. */
export const controllerSettings = {
  ...processSettings,
  webhookUrl: required(webhookUrl),
  caBundlePath,
  leaderElect,
  workspaceType,
  teardownTimeout,
};

/** Flags of `webhook`. */
export const webhookSettings = { ...processSettings, webhookPort, tlsCertDir: withDefault(tlsCertDir, '/etc/webhook-tls'), maxRuleAge };

/** Flags of `all`. */
export const allSettings = {
  ...processSettings,
  webhookUrl: optional({ ...webhookUrl, about: `${webhookUrl.about}; without it the port of this process on 127.0.0.1` }),
  caBundlePath: { ...caBundlePath, about: `with --tls-cert-dir: ${caBundlePath.about}` },
  leaderElect,
  workspaceType,
  teardownTimeout,
  webhookPort,
  tlsCertDir: optional({ ...tlsCertDir, about: `${tlsCertDir.about}; without it a CA and a certificate are made` }),
  maxRuleAge,
};

/** What the controller role is told. */
export interface ControllerSettings {
  /** Absent: the address of the webhook in the same process. */
  readonly webhookUrl?: string | undefined;
  readonly caBundlePath?: string | undefined;
  readonly leaderElect: boolean;
  /** Absent or empty: dying workspaces are left to kcp. */
  readonly workspaceType?: string;
  readonly teardownTimeoutMs?: number;
}

/** Which workspaces are torn down in order, and how long they are held for it; undefined: none. */
export function teardownOf(
  settings: ControllerSettings | undefined,
): { readonly typeName: string; readonly timeoutMs: number } | undefined {
  const { workspaceType: typeName = '', teardownTimeoutMs: timeoutMs = 600_000 } = settings ?? {};
  return typeName === '' ? undefined : { typeName, timeoutMs };
}

/** The host that kcp calls: a name or an address, without brackets. */
export function hostToCall({ webhookUrl }: ControllerSettings): string {
  return webhookUrl === undefined ? OWN_HOST : hostOf(webhookUrl);
}

/** Where kcp calls a process that runs both roles, unless it is told otherwise. */
export const OWN_HOST = '127.0.0.1';

/** What the webhook role is told. */
export interface WebhookSettings {
  readonly port: number;
  /** Absent: on all interfaces. */
  readonly host?: string;
  /** Absent: the process makes its own certificate. */
  readonly tlsCertDir?: string | undefined;
  readonly maxRuleAgeMs: number;
}

/** The roles of a process; never none. */
export type RoleSettings =
  | { readonly controller: ControllerSettings & { readonly webhookUrl: string }; readonly webhook?: never }
  | { readonly controller?: never; readonly webhook: WebhookSettings }
  | { readonly controller: ControllerSettings; readonly webhook: WebhookSettings };

/** What every process of roles is told. */
export interface ProcessSettings extends ValuesOf<typeof processSettings> {
  readonly roles: RoleSettings;
}

/** The settings of `controller`, or which flag is wrong. */
export function checkController(values: ValuesOf<typeof controllerSettings>): Parsed<ProcessSettings> {
  const {
    webhookUrl: url,
    caBundlePath: path,
    leaderElect: elect,
    workspaceType: type,
    teardownTimeout: teardownTimeoutMs,
    ...common
  } = values;
  const controller = { webhookUrl: url, caBundlePath: path, leaderElect: elect, workspaceType: type, teardownTimeoutMs };
  return parsed({ ...common, roles: { controller } });
}

/** The settings of `webhook`, or which flag is wrong. */
export function checkWebhook(values: ValuesOf<typeof webhookSettings>): Parsed<ProcessSettings> {
  const { webhookPort: port, tlsCertDir: dir, maxRuleAge: maxRuleAgeMs, ...common } = values;
  return portsDiffer(port, common) ?? parsed({ ...common, roles: { webhook: { port, tlsCertDir: dir, maxRuleAgeMs } } });
}

/** The settings of `all`, or which flags do not go together. */
export function checkAll(values: ValuesOf<typeof allSettings>): Parsed<ProcessSettings> {
  const {
    webhookUrl: url,
    caBundlePath: path,
    leaderElect: elect,
    workspaceType: type,
    teardownTimeout: teardownTimeoutMs,
    webhookPort: port,
    tlsCertDir: dir,
    maxRuleAge: maxRuleAgeMs,
    ...common
  } = values;
  if (path !== undefined && dir === undefined) {
    return notParsed('--webhook-ca-bundle-path needs --tls-cert-dir: without it the certificate and its CA are made here');
  }
  const controller = { webhookUrl: url, caBundlePath: path, leaderElect: elect, workspaceType: type, teardownTimeoutMs };
  const webhook = { port, tlsCertDir: dir, maxRuleAgeMs };
  return portsDiffer(port, common) ?? parsed({ ...common, roles: { controller, webhook } });
}

/** The name of a WorkspaceType, or nothing. */
function parseTypeName(text: string): Parsed<string> {
  return /^(?:[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)?$/.test(text) ? parsed(text) : notParsed('the name of a WorkspaceType, or empty');
}

function portsDiffer(
  port: number,
  { healthAddress, metricsAddress }: { readonly healthAddress: ListenAddress; readonly metricsAddress: ListenAddress },
): Parsed<never> | undefined {
  if (port === 0) return undefined;
  if (port === healthAddress.port)
    return notParsed(`--health-probe-bind-address must be another port than --webhook-port, which is ${port}`);
  if (port === metricsAddress.port) return notParsed(`--metrics-bind-address must be another port than --webhook-port, which is ${port}`);
  return undefined;
}
