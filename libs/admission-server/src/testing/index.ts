export { testCertificates, type TestCertificates } from './certificates.js';
export { httpsPost, optionsOf, type HttpsAnswer, type HttpsQuestion } from './https-post.js';
