/** posthog-js as its documentation starts it. */
import posthog from 'posthog-js';

posthog.init('phc_bench', { api_host: `${location.origin}/posthog`, defaults: '2025-05-24' });
