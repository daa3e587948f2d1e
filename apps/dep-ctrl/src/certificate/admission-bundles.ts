import { isKcpError, type ObjectClient, type Stoppable } from '@dep-ctrl/kcp-client';
import { WEBHOOK_CONFIGURATIONS } from '@dep-ctrl/webhook-installer';
import { installedBundles } from '@dep-ctrl/admission-server';
import { getIfExists } from '@dep-ctrl/kcp-objects';
import { ADMISSION_CONFIGURATION } from '../own-objects/admission-configuration.js';

// Verifies no certificate: a new one is then held back for as long as it may be.
const UNREAD = '';

/** The CA bundles (PEM) of the configuration in dep-ctrl's own workspace, which no endpoint shows. */
export async function admissionBundles(home: Pick<ObjectClient, 'get'>, options: Stoppable): Promise<readonly string[]> {
  try {
    const configuration = await getIfExists(home, WEBHOOK_CONFIGURATIONS, { name: ADMISSION_CONFIGURATION }, options);
    return configuration === undefined ? [] : installedBundles([configuration]);
  } catch (error) {
    if (isKcpError(error)) return [UNREAD];
    throw error;
  }
}
