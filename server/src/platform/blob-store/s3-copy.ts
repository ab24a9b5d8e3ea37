import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';

interface S3Object {
  readonly Bucket: string;
  readonly Key: string;
}

/** One request copies this much, well within a minute. */
const pieceBytes = 256 * 1024 * 1024;

/** Copies within the store: the bytes do not pass through this machine. */
export async function copyObject(
  client: S3Client,
  from: S3Object & { readonly sizeBytes: number },
  to: S3Object & { readonly ContentType: string },
): Promise<void> {
  const CopySource = encodeURI(`${from.Bucket}/${from.Key}`);
  if (from.sizeBytes <= pieceBytes) {
    const command = new CopyObjectCommand({ ...to, CopySource, MetadataDirective: 'REPLACE' });
    await client.send(command);
    return;
  }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(to));
  const target = { Bucket: to.Bucket, Key: to.Key, UploadId };
  try {
    const Parts: CompletedPart[] = [];
    for (let at = 0; at < from.sizeBytes; at += pieceBytes) {
      const end = Math.min(at + pieceBytes, from.sizeBytes) - 1;
      const PartNumber = Parts.length + 1;
      const CopySourceRange = `bytes=${at}-${end}`;
      const piece = { ...target, CopySource, CopySourceRange, PartNumber };
      const { CopyPartResult } = await client.send(new UploadPartCopyCommand(piece));
      Parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
    }
    const MultipartUpload = { Parts };
    await client.send(new CompleteMultipartUploadCommand({ ...target, MultipartUpload }));
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand(target)).catch(() => {});
    throw error;
  }
}
