/** A response's body while it arrives. */
export interface BodyStream extends AsyncIterable<Uint8Array, undefined> {
	destroy(): void;
	/** Absent if the body is decompressed, and in some versions of n8n. */
	socket?: { encrypted?: boolean } | null;
}

export interface BodyStart {
	text: string;
	/** How many bytes were read, after decompression. */
	bytes: number;
	/** Whether the body ended there. */
	isWhole: boolean;
	/** Whether it broke off or stopped arriving. */
	isBroken?: true;
}

/**
 * Reads the beginning of a body as UTF-8, and closes the connection if there is more.
 *
 * @param expired ends the wait for a body that stops arriving
 */
export async function readStart(
	body: BodyStream,
	maxBytes: number,
	expired: AbortSignal,
): Promise<BodyStart> {
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	let expire = () => {};
	const timeout = new Promise<never>((_resolve, reject) => {
		expire = () => {
			body.destroy();
			reject(new Error('timeout'));
		};
	});
	expired.addEventListener('abort', expire);
	if (expired.aborted) expire();
	try {
		const iterator = body[Symbol.asyncIterator]();
		while (bytes <= maxBytes) {
			const { done, value } = await Promise.race([iterator.next(), timeout]);
			if (done === true) return { text: decode(Buffer.concat(chunks)), bytes, isWhole: true };
			chunks.push(value);
			bytes += value.length;
		}
	} catch {
		return { text: decode(Buffer.concat(chunks)), bytes, isWhole: false, isBroken: true };
	} finally {
		expired.removeEventListener('abort', expire);
	}
	body.destroy();
	return { text: decode(Buffer.concat(chunks)), bytes, isWhole: false };
}

/** The beginning of a text, in at most so many bytes of UTF-8. */
export function cutTo(maxBytes: number, text: string): string {
	return decode(Buffer.from(text).subarray(0, maxBytes));
}

/** Bytes at the end that are only a part of a character are left out. */
function decode(bytes: Uint8Array): string {
	return new TextDecoder().decode(bytes, { stream: true });
}
