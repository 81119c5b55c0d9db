import { shared } from '../sdk/eslint.config.mjs';

export default shared;
