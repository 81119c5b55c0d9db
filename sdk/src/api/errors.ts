import type { Problem } from './wire';

export type FailureKind = 'offline' | 'timeout' | 'throttled' | 'refused' | 'server';

/** A call that did not end well, sorted by what the person in front of the screen can do about it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly kind: FailureKind,
    readonly code: string,
    detail: string,
    /** Seconds to wait before trying again, when the server said so. */
    readonly retryAfter: number | null = null,
  ) {
    super(detail);
  }
}

/** The error that a reply other than 2xx stands for. Never throws, whatever the body holds. */
export async function errorFromResponse(response: Response): Promise<ApiError> {
  const problem = await readProblem(response);
  const code = problem.code ?? `http_${response.status}`;
  const detail = problem.errors?.[0]?.detail ?? problem.detail ?? problem.title ?? '';
  return new ApiError(kindOf(response.status), code, detail, retryAfterOf(response));
}

function kindOf(status: number): FailureKind {
  if (status === 429) {
    return 'throttled';
  }
  return status >= 500 ? 'server' : 'refused';
}

async function readProblem(response: Response): Promise<Problem> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

function retryAfterOf(response: Response): number | null {
  const seconds = Number(response.headers.get('Retry-After') ?? NaN);
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : null;
}
