/**
 * The name of the one ValidatingWebhookConfiguration in the workspace of dep-ctrl itself: it has kcp ask about rules and guards as they are written,
 * in every workspace that binds dep-ctrl.
 */
export const ADMISSION_CONFIGURATION = 'dependency-admission';
