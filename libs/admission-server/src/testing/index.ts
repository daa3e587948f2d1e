export { testCertificates, type TestCertificates } from './certificates.js';
export { freePort } from './free-port.js';
export { httpsPost, optionsOf, type HttpsAnswer, type HttpsQuestion } from './https-post.js';
