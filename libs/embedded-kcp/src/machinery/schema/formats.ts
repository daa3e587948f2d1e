// The formats of strings that Kubernetes checks. Kubernetes ignores other formats, and so does this server.
import { isIPv4, isIPv6 } from 'node:net';

const HOSTNAME = /^(?=.{1,253}$)[A-Za-z0-9](?:[-A-Za-z0-9]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[-A-Za-z0-9]{0,61}[A-Za-z0-9])?)*\.?$/;
const uuid = (version: string): RegExp => new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$`, 'i');
const matches =
  (pattern: RegExp) =>
  (text: string): boolean =>
    pattern.test(text);

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': (text) => !Number.isNaN(Date.parse(text)),
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
  ipv4: isIPv4,
  ipv6: isIPv6,
  cidr: isCidr,
  mac: matches(/^[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}$/i),
  uuid: matches(uuid('[0-9a-f]')),
  uuid3: matches(uuid('3')),
  uuid4: matches(uuid('4')),
  uuid5: matches(uuid('5')),
  byte: (text) => /^[A-Za-z0-9+/]*={0,2}$/.test(text) && text.length % 4 === 0,
  hostname: matches(HOSTNAME),
  uri: (text) => URL.canParse(text) || text.startsWith('/'),
};

/** The formats that Kubernetes checks and this server does not. */
export const UNCHECKED_FORMATS: readonly string[] = [
  'bsonobjectid',
  'creditcard',
  'duration',
  'email',
  'hexcolor',
  'isbn',
  'isbn10',
  'isbn13',
  'rgbcolor',
  'ssn',
];

/** Whether a text has a format. */
export function hasFormat(text: string, format: string): boolean {
  const check = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  return check === undefined || check(text);
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/');
  if (more.length > 0 || !/^\d{1,3}$/.test(bits)) return false;
  return (isIPv4(address) && Number(bits) <= 32) || (isIPv6(address) && Number(bits) <= 128);
}
