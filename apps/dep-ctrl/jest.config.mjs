import { shared } from '../../jest.shared.mjs';

// Many specs start an embedded kcp, which takes its time where several run at once.
export default { ...shared, displayName: 'dep-ctrl', testTimeout: 60_000 };
