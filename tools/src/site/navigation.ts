// Who reads what: the pages of the site in the order of its menu. A page that is not here has to be linked from another one.

/** A part of the menu. */
export interface MenuPart {
  readonly title: string;
  /** For whom it is; shown on the part. */
  readonly about: string;
  readonly pages: readonly MenuPage[];
}

/** A page of the menu, with a short name for it. */
export interface MenuPage {
  readonly path: string;
  readonly label: string;
}

/** The menu. */
export const MENU: readonly MenuPart[] = [
  {
    title: 'Start',
    about: 'for everybody',
    pages: [
      { path: 'README.md', label: 'What dep-ctrl is' },
      { path: 'docs/getting-started.md', label: 'Getting started' },
      { path: 'docs/guarantees.md', label: 'What is promised' },
      { path: 'docs/comparison.md', label: 'Compared with other ways' },
    ],
  },
  {
    title: 'Provider',
    about: 'writes rules',
    pages: [
      { path: 'docs/provider.md', label: 'Protect what you refer to' },
      { path: 'docs/reference/api.md', label: 'Rules and guards, every field' },
      { path: 'docs/reference/conditions.md', label: 'Conditions and reasons' },
      { path: 'docs/reference/catalogue.md', label: 'Catalogue of all texts' },
    ],
  },
  {
    title: 'Consumer',
    about: 'has a delete refused',
    pages: [{ path: 'docs/consumer.md', label: 'A delete was refused' }],
  },
  {
    title: 'Operator',
    about: 'runs dep-ctrl',
    pages: [
      { path: 'docs/operations.md', label: 'Operations' },
      { path: 'docs/kubernetes.md', label: 'On Kubernetes' },
      { path: 'docs/upgrade.md', label: 'Upgrade and rollback' },
      { path: 'docs/sizing.md', label: 'Sizing' },
      { path: 'deploy/chart/README.md', label: 'The chart' },
      { path: 'deploy/image/README.md', label: 'The image' },
      { path: 'deploy/kcp/README.md', label: 'Manifests' },
      { path: 'deploy/dashboards/README.md', label: 'Alerts and dashboard' },
      { path: 'docs/reference/command-line.md', label: 'Command line' },
      { path: 'docs/reference/preconditions.md', label: 'What doctor checks' },
      { path: 'docs/reference/status.md', label: 'Status as data' },
      { path: 'docs/reference/metrics.md', label: 'Metrics' },
      { path: 'SECURITY.md', label: 'Security' },
    ],
  },
  {
    title: 'Operator author',
    about: 'embeds the libraries',
    pages: [
      { path: 'docs/embedding.md', label: 'The libraries' },
      { path: 'docs/reference/libs/README.md', label: 'Every exported name' },
      { path: 'libs/kcp-client/README.md', label: 'kcp-client' },
      { path: 'libs/kcp-controller/README.md', label: 'kcp-controller' },
      { path: 'libs/workspace-resolver/README.md', label: 'workspace-resolver' },
      { path: 'libs/workspace-lifecycle/README.md', label: 'workspace-lifecycle' },
      { path: 'libs/ordered-teardown/README.md', label: 'ordered-teardown' },
      { path: 'libs/webhook-installer/README.md', label: 'webhook-installer' },
      { path: 'libs/fair-shares/README.md', label: 'fair-shares' },
      { path: 'libs/shared-lists/README.md', label: 'shared-lists' },
      { path: 'libs/admission-server/README.md', label: 'admission-server' },
      { path: 'libs/kcp-objects/README.md', label: 'kcp-objects' },
      { path: 'libs/exported-types/README.md', label: 'exported-types' },
      { path: 'libs/command-settings/README.md', label: 'command-settings' },
      { path: 'libs/embedded-kcp/README.md', label: 'embedded-kcp' },
      { path: 'libs/rule-registry/README.md', label: 'rule-registry' },
      { path: 'libs/fieldpath/README.md', label: 'fieldpath' },
      { path: 'libs/kcp-names/README.md', label: 'kcp-names' },
    ],
  },
  {
    title: 'Behind it',
    about: 'how and why',
    pages: [
      { path: 'docs/architecture.md', label: 'Architecture' },
      { path: 'apps/dep-ctrl/README.md', label: 'The package dep-ctrl' },
      { path: 'docs/adr/README.md', label: 'Decisions' },
      { path: 'docs/mutation.md', label: 'What the tests notice' },
      { path: 'docs/upstream-path-annotation.md', label: 'A finding in kcp' },
      { path: 'CONTRIBUTING.md', label: 'Contributing' },
    ],
  },
];
