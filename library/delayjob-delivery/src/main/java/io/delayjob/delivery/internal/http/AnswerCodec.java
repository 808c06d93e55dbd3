package io.delayjob.delivery.internal.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.CombinedChannelDuplexHandler;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;
import reactor.netty.Connection;

/**
 * Writes requests and reads one answer to each. Interim answers, such as 103 (Early Hints), are read past. A connection on which anything
 * comes that no request asked for is not used again: it would be taken for the answer to the next request, which is another job's. Reactor
 * Netty's own codec knows neither rule, except for 100.
 */
final class AnswerCodec extends CombinedChannelDuplexHandler<AnswerCodec.Answers, HttpRequestEncoder> {

    AnswerCodec() {
        super(new Answers(), new HttpRequestEncoder());
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise written) throws Exception {
        if (message instanceof HttpRequest) {
            inboundHandler().isAwaited = true;
        }
        super.write(context, message, written);
    }

    /** Reads answers. */
    static final class Answers extends HttpResponseDecoder {

        private boolean isAwaited;

        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf bytes, List<Object> read) throws Exception {
            if (!isAwaited) {
                drop(context, bytes);
                var unused = context.close();
                return;
            }
            super.decode(context, bytes, read);
            if (isInterim(read)) {
                read.clear();
                // Netty reads on by itself only where nothing was decoded.
                context.read();
            } else if (isEnd(read)) {
                isAwaited = false;
                if (bytes.isReadable() || isSwitch(read)) {
                    drop(context, bytes);
                }
            }
        }

        /** A message without a body, such as an interim answer, is read in one step with its head. */
        private static boolean isInterim(List<Object> read) {
            return isEnd(read)
                    && read.get(0) instanceof HttpResponse answer
                    && answer.status().codeClass() == HttpStatusClass.INFORMATIONAL
                    && !isSwitch(read);
        }

        private static boolean isEnd(List<Object> read) {
            return !read.isEmpty() && read.get(read.size() - 1) instanceof LastHttpContent;
        }

        /** The bytes after an answer of 101 are no HTTP. */
        private static boolean isSwitch(List<Object> read) {
            return read.get(0) instanceof HttpResponse answer
                    && answer.status().code() == HttpResponseStatus.SWITCHING_PROTOCOLS.code();
        }

        /** The answer that was read before it is whole, and stays valid: only the pool must not have the connection. */
        private static void drop(ChannelHandlerContext context, ByteBuf bytes) {
            bytes.skipBytes(bytes.readableBytes());
            Connection.from(context.channel()).markPersistent(false);
        }
    }
}
