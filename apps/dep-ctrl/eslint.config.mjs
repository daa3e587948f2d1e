import root from '../../eslint.config.mjs';

export default [
  ...root,
  // A factory has one parameter for each part that it joins.
  { files: ['src/composition/*.ts'], rules: { 'max-params': 'off' } },
];
